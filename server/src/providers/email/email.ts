/** A complete email. */
export interface EmailMessage {
  readonly to: string
  /** Includes a display name: `"Name" <address>`. */
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Ends mail of this kind with one POST (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** Headers of the message besides its addresses and subject. */
export function headersOf({
  unsubscribeUrl,
}: EmailMessage): { readonly name: string; readonly value: string }[] {
  if (unsubscribeUrl === undefined) return []
  return [
    { name: 'List-Unsubscribe', value: `<${unsubscribeUrl}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ]
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
