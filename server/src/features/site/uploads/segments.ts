/**
 * The path segments of an upload key. Each is decoded separately, so that an escaped slash does not split a
 * segment.
 */
export function segmentsOf(requestUrl: string): string[] | null {
  const path = requestUrl.split('?', 1)[0] ?? ''
  try {
    return path.split('/').slice(2).map(decodeURIComponent)
  } catch {
    return null
  }
}
