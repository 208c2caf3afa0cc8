/** What a provider's script needs of the page: sources to add to its `Content-Security-Policy`, by directive. */
export type ContentSources = Readonly<Record<string, readonly string[]>>
