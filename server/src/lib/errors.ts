/** A datastore that the request needs is unavailable. The response is 503 `errorUnavailable`. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/** An operator's mistake at startup: printed as one line, without a stack, before exit status 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** An external service cannot be reached. Nothing was sent to it. */
export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError'
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}

/** An external service is busy and said when to retry. It has not accepted the payload. */
export class TryLaterError extends Error {
  override readonly name = 'TryLaterError'
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}
