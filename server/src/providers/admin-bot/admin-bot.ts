/** The options derived from an author's code. */
export interface DerivedBot {
  readonly inputs: Readonly<Record<string, { readonly pattern: string; readonly flags?: string }>>
  readonly timeoutMilliseconds: number
  readonly requireInstancerInstancesRunning: boolean
}

/** The admin bot, which visits what participants submit. Its workers pull their jobs over the API. */
export interface AdminBot {
  /** The language of authors' code. */
  readonly configLanguage: string
  /** Includes the dot. */
  readonly fileExtension: string
  /** Whether the bearer token is the workers' token. Runs in constant time for wrong tokens. */
  isWorker(token: string): boolean
  /** Compiles an author's code. An error, in the code or at the worker, is a text for the author. */
  derive(code: string): Promise<{ readonly value: DerivedBot } | { readonly error: string }>
}
