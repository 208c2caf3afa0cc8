/** Looks at pictures before others do. */
export interface Moderation {
  /** Whether this WebP may be shown. Rejects when there is no verdict. */
  isAllowed(picture: Buffer): Promise<boolean>
}
