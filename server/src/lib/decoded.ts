/** The text of a part of an address, or the part itself if it is not encoded correctly. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
