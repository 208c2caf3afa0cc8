import type { ContentSources } from '../content-sources.ts'

/** Counts visitors with a script in their browsers. */
export interface Analytics {
  /** What the site needs to set up the script. Sent to every visitor: never a secret. */
  readonly publicOptions: Readonly<Record<string, string>>
  /** CSP sources: what the script loads and where it reports to. */
  readonly contentSources: ContentSources
  /** Fetches the current script. The server proxies it, so that browsers contact no third party for it. */
  fetchScript(): Promise<Buffer>
}
