/** A response of another protocol, without an envelope, for routes that declare `unwrapped`. */
export interface Foreign {
  readonly kind: 'foreign'
  readonly status: number
  /** Media type; null for none, if there is no body. */
  readonly type: string | null
  readonly body: Buffer
}
