/** Below the outbox's timeout for one email. */
export const SEND_LIMIT_MS = 25_000
