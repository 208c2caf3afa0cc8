/** A complete email. */
export interface EmailMessage {
  readonly to: string
  /** Includes a display name: `"Name" <address>`. */
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands emails to a delivery service. */
export interface Email {
  /** Rejects when the service did not accept the email. */
  send(message: EmailMessage): Promise<void>
  /** Connects and signs in without sending anything; rejects with the server's reason. Absent if that is impossible. */
  verify?(): Promise<void>
  /** Closes open connections. */
  close?(): void
}
