/** Limits the value to the bounds; the lower one wins when they cross. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}
