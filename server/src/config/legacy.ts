import { findAt, isValues, setAt, type Values } from './layers.ts'

interface Rename {
  readonly old: readonly string[]
  readonly now: readonly string[]
  /** Where this is there already, the old key is left out. */
  readonly unless: readonly string[]
  readonly convert: (value: unknown) => unknown
  /** Clients of version 1 are told the old value, also where the new key holds. */
  readonly staysBeside?: true
}

/** Keys of earlier configurations and what they are now (contract, admin 5.7 and ruling 16). */
const RENAMES: readonly Rename[] = [
  { old: ['legacyCaptcha'], now: ['captcha'], unless: ['captcha', 'provider'], convert: captchaOf },
  {
    old: ['globalSiteTag'],
    now: ['analytics', 'provider'],
    unless: ['analytics', 'provider'],
    convert: (siteTag) => ({ name: 'analytics/google', options: { siteTag } }),
    staysBeside: true,
  },
  {
    old: ['instancer'],
    now: ['instancers'],
    unless: ['instancers'],
    convert: (instancer) => ({ default: instancer }),
  },
  { old: ['database', 'redis'], now: ['redis'], unless: ['redis'], convert: addressOf },
  { old: ['database', 'sql'], now: ['database'], unless: ['database', 'url'], convert: addressOf },
]

/** Renames old keys. Where the new key is there as well, that one holds and the old one is left out. */
export function renameOldKeys(given: Values, warn: (message: string) => void): Values {
  const values = structuredClone(given) as Record<string, unknown>
  for (const { old, now, unless, convert, staysBeside = false } of RENAMES) {
    const value = findAt(values, old)
    if (value === undefined) continue
    const isTaken = findAt(values, unless) !== undefined
    if (!isTaken || !staysBeside) remove(values, old)
    if (!isTaken) setAt(values, now, convert(value))
    const key = old.join('.')
    const fate = !isTaken
      ? 'read as'
      : staysBeside
        ? 'for clients of version 1 alone beside'
        : 'ignored beside'
    warn(`${key}: an old key, ${fate} ${now.join('.')}; please rename it`)
  }
  return values
}

function captchaOf(value: unknown): unknown {
  if (!isValues(value)) return value
  const { protectedActions, ...options } = value
  return { provider: { name: 'captcha/recaptcha', options }, protectedEndpoints: protectedActions }
}

function addressOf(value: unknown): unknown {
  return typeof value === 'string' ? { url: value } : value
}

function remove(values: Record<string, unknown>, path: readonly string[]): void {
  const key = path.at(-1) ?? ''
  const parent = findAt(values, path.slice(0, -1))
  if (isValues(parent)) delete (parent as Record<string, unknown>)[key]
}
