/** One of the first solves of a challenge. */
export interface Blood {
  /** Constant across retries: receivers use it for deduplication. */
  readonly id: string
  readonly bloodNumber: number
  readonly team: { readonly id: string; readonly name: string }
  readonly challenge: { readonly id: string; readonly name: string; readonly category: string }
  /** When it was solved, Unix milliseconds. */
  readonly time: number
}

/** The target's escaping: players' texts must appear literally. */
export interface Markup {
  text(value: string): string
  url(value: string): string
}

/** Announces events of the contest to an external service. */
export interface Messages {
  readonly markup: Markup
  /** Default template. */
  readonly template: string
  /** Rejects when the message was not accepted; the error contains no address and no token. */
  send(message: BloodMessage, signal: AbortSignal): Promise<void>
}

export interface BloodMessage {
  readonly blood: Blood
  /** The rendered template, in the target's markup. */
  readonly text: string
}
