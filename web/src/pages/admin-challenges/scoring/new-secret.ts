const BYTES = 32

/** 32 random bytes in hex: what a webhook's secret should be. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
