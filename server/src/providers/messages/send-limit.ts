/**
 * Timeout of one attempt; a message that takes longer is retried: docs/reference/providers.md#blood-messages
 */
export const SEND_LIMIT_MS = 10_000
