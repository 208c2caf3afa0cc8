import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { ErrorMessages } from './en/errors.ts'

/** An API error response, or a `RequestFailure`. */
export interface Failed {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
  /** Of a refused request: its line in the server's log has the same. */
  readonly requestId?: string | null
}

/** No response. */
export const NO_RESPONSE: Failed = { kind: 'network', message: '' }

/**
 * What failed: a read that is retried automatically, one that is not, or a change that may have been saved.
 */
export type RequestKind = 'read' | 'once' | 'change'

type Data = Partial<Record<'reason' | 'message' | 'error', string>> & { timeLeft?: number; maxSize?: number }

const MEBIBYTE = 1024 * 1024

/** The message for an error. Uses the server's message only for kinds without one of ours. */
export function errorText(
  messages: ErrorMessages,
  { kind, message, data, requestId }: Failed,
  request: RequestKind = 'read',
): string {
  const { reason = '', timeLeft = SECOND_MS, maxSize = 0, ...said } = (data ?? {}) as Data
  // For what a player can only report. Failed reads show it in small print.
  const withId = (text: string) => (requestId && request !== 'read' ? `${text} (ID ${requestId})` : text)
  const isLost = kind === 'network' && request === 'change'
  if (isLost || kind.startsWith('error')) {
    return withId(messages.serverErrors[request])
  }
  if (kind === 'badRateLimit') return messages.rateLimit(Math.ceil(timeLeft / SECOND_MS))
  // `body:name: must be a string`: the field has its own label, so only the rest is shown.
  if (kind === 'badBody') return messages.notAccepted(reason.replace(/^\w+:[^:]*:\s*/, '') || message)
  if (kind === 'badInstancerError') return withId(messages.instancer(said.message ?? message))
  if (kind === 'badInstancerConfig' || kind === 'badAdminBotConfig')
    return said.error ?? said.message ?? message
  if (kind === 'badBodySize' || kind === 'badAvatarFileSize')
    return messages.tooLarge((maxSize / MEBIBYTE).toFixed(1).replace(/\.0$/, ''))
  if (Object.hasOwn(messages.kinds, kind)) return messages.kinds[kind as keyof ErrorMessages['kinds']]
  return withId(message)
}
