import { findAt, isValues, setAt, type Values } from './layers.ts'

interface Rename {
  readonly old: readonly string[]
  readonly now: readonly string[]
  /** If this key is set, the old key is ignored. */
  readonly unless: readonly string[]
  readonly convert: (value: unknown) => unknown
  /** Clients of version 1 receive the old value, even where the new key takes precedence. */
  readonly staysBeside?: true
}

/** Older configuration keys and what they are now: docs/reference/configuration-rules.md#older-keys */
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

/** Keys that older configurations may contain, and why they have no effect. */
export const REMOVED_KEYS: readonly { readonly path: readonly string[]; readonly why: string }[] = [
  { path: ['leaderboard', 'updateInterval'], why: 'standings are updated with each change' },
  { path: ['instances', 'maxWait'], why: 'a start is queued for at most 25 s' },
  { path: ['tracing', 'serviceName'], why: 'traces name the service `pennant`' },
]

/** Renames old keys and removes those without effect. If the new key is set as well, it takes precedence and the old one is ignored. */
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
        ? 'only used for clients of version 1 because of'
        : 'ignored because of'
    warn(`${key}: deprecated key, ${fate} ${now.join('.')}; please rename it`)
  }
  for (const { path, why } of REMOVED_KEYS) {
    if (findAt(values, path) === undefined) continue
    remove(values, path)
    warn(`${path.join('.')}: has no effect, because ${why}; please remove it`)
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
