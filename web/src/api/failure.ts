/** A failed request: the server's kind, or `network` if there was no response. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  readonly kind: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly data: FailureData | undefined
  readonly retryAfterMs: number | null
  /** Unix milliseconds, by the browser's clock. */
  readonly requestedAt: number
  /** By which organisers find the failure in the server's log; null if it has none. */
  readonly requestId: string | null

  constructor(details: FailureDetails) {
    super(details.message)
    this.kind = details.kind
    this.status = details.status
    this.data = details.data
    this.retryAfterMs = details.retryAfterMs ?? null
    this.requestedAt = details.requestedAt
    this.requestId = details.requestId ?? null
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
  readonly requestedAt: number
  readonly requestId?: string | null
}

/** Whether a retry may help: no response, or a server error. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof RequestFailure && (error.status === 0 || error.status === 429 || error.status >= 500)
  )
}

/** The kind of a failed query's error, or null. */
export function kindOf(error: unknown): string | null {
  return error instanceof RequestFailure ? error.kind : null
}
