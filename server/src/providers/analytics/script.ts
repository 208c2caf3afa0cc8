import { ProviderError, type ProviderContext } from '../provider.ts'
import { readBounded } from '../read-bounded.ts'

/** Short, because a page waits for the script: docs/reference/client-config.md#analytics-script */
const FETCH_LIMIT_MS = 10_000
/** Ten times the size of the vendors' scripts today. */
const MAX_SCRIPT_BYTES = 4 * 1024 * 1024

/** Fetches a script without any data about the visitor. */
export async function fetchScript(url: URL, { fetch }: ProviderContext): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) })
  if (!response.ok) {
    await response.body?.cancel()
    throw new ProviderError(`the script response had status ${response.status}`)
  }
  const script = await readBounded(response, MAX_SCRIPT_BYTES)
  if (script.length === 0) throw new ProviderError('the script is empty')
  return script
}

/** Adds a query parameter to the URL of a script. */
export function withQuery(address: string, name: string, value: string): URL {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url
}
