/** A request that `public/boot.js` began before this code was here. */
interface EarlyRequest {
  readonly at: number
  readonly response: Promise<Response>
}

declare global {
  var pennantEarly: Record<string, EarlyRequest> | undefined
}

/** Gives it out once: the next to ask goes to the server. */
export function takeEarly(address: string): EarlyRequest | undefined {
  const early = globalThis.pennantEarly?.[address]
  if (early) delete globalThis.pennantEarly?.[address]
  return early
}

/** The token changed since: what was asked with the old one is of no use. */
export function dropEarly(): void {
  globalThis.pennantEarly = undefined
}
