/** The segments of an upload's key, each decoded on its own, so that an escaped slash stays inside its segment. */
export function segmentsOf(requestUrl: string): string[] | null {
  const path = requestUrl.split('?', 1)[0] ?? ''
  try {
    return path.split('/').slice(2).map(decodeURIComponent)
  } catch {
    return null
  }
}
