/** Below the time that the outbox gives one mail. */
export const SEND_LIMIT_MS = 25_000
