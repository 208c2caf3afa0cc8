import { DAY_MS } from '@pennant/contract/durations.ts'
import type { TextFile } from './text-file.ts'

const TYPE = 'text/plain; charset=utf-8'

/** RFC 9116 recommends less than a year. The file is rendered on request, so it never expires while served. */
const SECURITY_TXT_LIFETIME_DAYS = 180

export interface WellKnownOptions {
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** Where to report vulnerabilities: `mailto:` and `https:` URLs. */
  readonly securityContacts: readonly string[]
  readonly securityPolicy?: string | undefined
  readonly now: () => number
}

/** Files for programs instead of players. `security.txt` exists only with a contact. */
export function wellKnownFiles(options: WellKnownOptions): ReadonlyMap<string, TextFile> {
  const robots = ['/robots.txt', { type: TYPE, text: () => ROBOTS }] as const
  if (options.securityContacts.length === 0) return new Map([robots])
  return new Map([robots, ['/.well-known/security.txt', { type: TYPE, text: () => securityTxt(options) }]])
}

/** Search engines may index the pages of the contest, but not the API, files of challenges and accounts. */
const ROBOTS = [
  'api',
  'uploads',
  'admin',
  'verify',
  'settings',
  'login',
  'register',
  'recover',
  'integrations',
]
  .map((name) => `Disallow: /${name}`)
  .reduce((text, line) => `${text}${line}\n`, 'User-agent: *\n')

function securityTxt({ origin, securityContacts, securityPolicy, now }: WellKnownOptions): string {
  const expires = Math.floor(now() / DAY_MS) * DAY_MS + SECURITY_TXT_LIFETIME_DAYS * DAY_MS
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(expires).toISOString()}`,
    ...(securityPolicy === undefined ? [] : [`Policy: ${securityPolicy}`]),
    `Canonical: ${origin}/.well-known/security.txt`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}
