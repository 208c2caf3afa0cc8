import { ProviderError, type ProviderWorld } from '../provider.ts'
import { readBounded } from '../read-bounded.ts'

/** Contract, participant 13.2: a page waits for it. */
const FETCH_LIMIT_MS = 10_000
/** Ten times what the vendors send today. */
const MAX_SCRIPT_BYTES = 4 * 1024 * 1024

/** Fetches a script with no word about who asked for it. */
export async function fetchScript(url: URL, { fetch }: ProviderWorld): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new ProviderError(`the script was answered with status ${response.status}`)
  }
  const script = await readBounded(response, MAX_SCRIPT_BYTES)
  if (script.length === 0) throw new ProviderError('the script is empty')
  return script
}

/** The address of a script with one more part of its query. */
export function withQuery(address: string, name: string, value: string): URL {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url
}
