/** A store that a request needs cannot be reached now. Answered as 503 `errorUnavailable`. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/** A mistake of whoever starts the program: shown as one line, without a stack, before exit status 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** An outside service is busy and has said when to come back. It has not taken what it was given. */
export class TryLaterError extends Error {
  override readonly name = 'TryLaterError'
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}
