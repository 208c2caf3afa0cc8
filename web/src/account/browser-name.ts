/** In this order: most browsers also name those that they descend from. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chromium', /\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari/],
] as const
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const
const MAX_OTHER = 40

/** Names the browser of a `User-Agent`; null for none. */
export function browserName(userAgent: string): string | null {
  if (userAgent.trim() === '') return null
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1]
    if (version === undefined) continue
    const system = SYSTEMS.find(([, each]) => each.test(userAgent))?.[0]
    return system === undefined ? `${name} ${version}` : `${name} ${version}, ${system}`
  }
  return userAgent.slice(0, MAX_OTHER)
}
