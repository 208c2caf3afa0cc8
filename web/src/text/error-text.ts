import type { ErrorWords } from './en/errors.ts'

/** What the API answered, or a `RequestFailure`. */
export interface Failed {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
}

/** Nobody answered. */
export const NO_ANSWER: Failed = { kind: 'network', message: '' }

/** What failed: a read that is sent again by itself, one that is not, or a change that may be saved all the same. */
export type Deed = 'read' | 'once' | 'change'

type Data = Partial<Record<'reason' | 'message' | 'error', string>> & { timeLeft?: number; maxSize?: number }

const SECOND_MS = 1000
const MEBIBYTE = 1024 * 1024

/** An answer in words for people. The server's own only where a kind has no text of ours. */
export function errorText(words: ErrorWords, { kind, message, data }: Failed, deed: Deed = 'read'): string {
  const { reason = '', timeLeft = SECOND_MS, maxSize = 0, ...said } = (data ?? {}) as Data
  const isLost = kind === 'network' && deed === 'change'
  if (isLost || kind.startsWith('error')) return words.trouble[deed]
  if (kind === 'badRateLimit') return words.rateLimit(Math.ceil(timeLeft / SECOND_MS))
  // `body:name: must be a string`: the field stands beside it, the rest is words.
  if (kind === 'badBody') return words.notAccepted(reason.replace(/^\w+:[^:]*:\s*/, '') || message)
  if (kind === 'badInstancerError') return words.instancer(said.message ?? message)
  if (kind === 'badInstancerConfig' || kind === 'badAdminBotConfig')
    return said.error ?? said.message ?? message
  if (kind === 'badBodySize' || kind === 'badAvatarFileSize')
    return words.tooLarge((maxSize / MEBIBYTE).toFixed(1).replace(/\.0$/, ''))
  if (Object.hasOwn(words.kinds, kind)) return words.kinds[kind as keyof ErrorWords['kinds']]
  return message
}
