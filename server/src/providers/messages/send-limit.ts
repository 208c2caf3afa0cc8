/** Contract, admin 5.5: news that takes longer is tried again. */
export const SEND_LIMIT_MS = 10_000
