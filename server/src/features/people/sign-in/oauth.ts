import type { CustomFetch } from 'openid-client'
import { readBounded } from '../../../providers/read-bounded.ts'

/** A person waits. */
export const TIMEOUT_S = 10
const MAX_RESPONSE_BYTES = 512 * 1024

/** One for each provider, so that no provider receives the code of another. */
export function redirectUriOf(
  { id }: { readonly id: string },
  { origin }: { readonly origin: string },
): string {
  return `${origin}/sign-in/return/${id}`
}

/** Reads responses whole, up to a size. */
export function boundedFetch(fetch: typeof globalThis.fetch): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options as RequestInit)
    const body = await readBounded(response, MAX_RESPONSE_BYTES)
    const { status, headers } = response
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), { status, headers })
  }
}
