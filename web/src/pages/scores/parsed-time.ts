/** The time of an address; null if it is none. Apart from the replay, which is loaded only for such an address. */
export function parsedTime(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
