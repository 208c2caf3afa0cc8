/** Checks pictures before they are shown. */
export interface Moderation {
  /** Whether this WebP may be shown. Rejects when there is no verdict. */
  isAllowed(picture: Buffer): Promise<boolean>
}
