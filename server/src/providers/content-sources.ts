/** Sources that a provider's script adds to the page's `Content-Security-Policy`, by directive. */
export type ContentSources = Readonly<Record<string, readonly string[]>>
