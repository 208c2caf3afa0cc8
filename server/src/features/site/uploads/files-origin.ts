/** Hosts that a test remembers. A deployment has a few; clients may send any. */
const MAX_HOSTS = 64

/** Returns a test of whether a Host header matches this origin. */
export function hostTest(origin: string): (host: string | undefined) => boolean {
  const { protocol, host: wanted } = new URL(origin)
  const known = new Map<string, boolean>()
  return (host = '') => {
    const found = known.get(host)
    if (found !== undefined) return found
    const url = `${protocol}//${host}`
    const isMatch = URL.canParse(url) && new URL(url).host === wanted
    if (known.size >= MAX_HOSTS) known.clear()
    known.set(host, isMatch)
    return isMatch
  }
}
