/** The end of the bucket that holds an instant (contract, admin 1.5). The event's end cuts the last one short. */
export function bucketEnd(at: number, sampleMs: number, endTime: number): number {
  const end = Math.ceil(at / sampleMs) * sampleMs
  return at <= endTime ? Math.min(end, endTime) : end
}
