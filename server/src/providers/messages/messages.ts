/** A solve among the first of its challenge. */
export interface Blood {
  /** The same however often it is sent: receivers tell repetitions by it. */
  readonly id: string
  readonly bloodNumber: number
  readonly team: { readonly id: string; readonly name: string }
  readonly challenge: { readonly id: string; readonly name: string; readonly category: string }
  /** When it was solved, Unix milliseconds. */
  readonly time: number
}

/** How a target writes: texts of strangers must come out as they are. */
export interface Markup {
  text(value: string): string
  url(value: string): string
}

/** Tells the world of what happens in the contest. */
export interface Messages {
  readonly markup: Markup
  /** What is said unless the configuration says it differently. */
  readonly template: string
  /** Rejects when the message was not taken over; what it says names no address and no token. */
  send(message: BloodMessage, signal: AbortSignal): Promise<void>
}

export interface BloodMessage {
  readonly blood: Blood
  /** The filled template, in the target's markup. */
  readonly text: string
}
