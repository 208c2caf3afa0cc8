/** A request that `public/boot.js` sent before this code was loaded. */
interface EarlyRequest {
  readonly at: number
  readonly response: Promise<Response>
}

declare global {
  var pennantEarly: Record<string, EarlyRequest> | undefined
}

/** Returns the early request once; later calls go to the server. */
export function takeEarly(address: string): EarlyRequest | undefined {
  const early = globalThis.pennantEarly?.[address]
  if (early) delete globalThis.pennantEarly?.[address]
  return early
}

/** The token has changed, so the responses to the old one are useless. */
export function dropEarly(): void {
  globalThis.pennantEarly = undefined
}
