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
  send(message: Message, signal: AbortSignal): Promise<void>
}

/** An announcement of the organisers to everyone. */
export interface PublicAnnouncement {
  /** Constant across retries. */
  readonly id: string
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly severity: 'info' | 'warning' | 'critical'
  /** When it was published, Unix milliseconds. */
  readonly time: number
  /** Where it is shown. */
  readonly url: string
}

/** A team has asked the organisers something. The question itself is not sent. */
export interface AskedQuestion {
  /** Constant across retries. */
  readonly id: string
  readonly team: { readonly id: string; readonly name: string }
  readonly subject: string
  /** The name of the challenge that it is about. */
  readonly challenge: string | null
  /** When it was asked, Unix milliseconds. */
  readonly time: number
  /** Where organisers answer. */
  readonly url: string
}

export type Message = (
  | { readonly blood: Blood }
  | { readonly announcement: PublicAnnouncement }
  | { readonly question: AskedQuestion }
) & {
  /** What it says, in the target's markup. */
  readonly text: string
}
