/** What a failed request came to: the server's kind, or `network` when there was no answer. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  readonly kind: string
  /** Of HTTP; 0 without an answer. */
  readonly status: number
  readonly data: FailureData | undefined
  readonly retryAfterMs: number | null
  /** Unix milliseconds, the browser's clock. */
  readonly askedAt: number

  constructor(details: FailureDetails) {
    super(details.message)
    this.kind = details.kind
    this.status = details.status
    this.data = details.data
    this.retryAfterMs = details.retryAfterMs ?? null
    this.askedAt = details.askedAt
  }
}

interface FailureData {
  readonly reason?: string
  readonly timeLeft?: number
  readonly maxSize?: number
  readonly message?: string
  readonly error?: string
}

interface FailureDetails {
  readonly kind: string
  readonly status: number
  readonly message: string
  readonly data?: FailureData | undefined
  readonly retryAfterMs?: number | null
  readonly askedAt: number
}

/** Whether asking again may help: no answer, or a server in trouble. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof RequestFailure && (error.status === 0 || error.status === 429 || error.status >= 500)
  )
}

/** The kind of a failed query, or null. */
export function kindOf(error: unknown): string | null {
  return error instanceof RequestFailure ? error.kind : null
}
