/** One mail, complete. */
export interface EmailMessage {
  readonly to: string
  /** With a display name: `"Name" <address>`. */
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands mail to whoever delivers it. */
export interface Email {
  /** Rejects when the mail was not taken over. */
  send(message: EmailMessage): Promise<void>
  /** Ends what it keeps open. */
  close?(): void
}
