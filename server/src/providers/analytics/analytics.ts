import type { ContentSources } from '../content-sources.ts'

/** Counts visitors, by a script in their browsers. */
export interface Analytics {
  /** What the site needs to set the script up. Goes to every visitor: never a secret. */
  readonly publicOptions: Readonly<Record<string, string>>
  /** What the script loads and where it reports to, which the page must allow. */
  readonly contentSources: ContentSources
  /** The script as it is now. It is relayed, so that visitors ask nobody else for it. */
  fetchScript(): Promise<Buffer>
}
