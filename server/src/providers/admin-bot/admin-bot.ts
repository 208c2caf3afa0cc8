/** What the code of an author says of itself. */
export interface DerivedBot {
  readonly inputs: Readonly<Record<string, { readonly pattern: string; readonly flags?: string }>>
  readonly timeoutMilliseconds: number
  readonly requireInstancerInstancesRunning: boolean
}

/** Whoever visits what participants send. Its workers fetch their jobs over the API. */
export interface AdminBot {
  /** The language that authors write. */
  readonly configLanguage: string
  /** With its dot. */
  readonly fileExtension: string
  /** Whether a bearer is the workers' own. Takes the same time for every wrong one. */
  isWorker(token: string): boolean
  /** Compiles an author's code. What is wrong with it, or with the worker, is a text for the author. */
  derive(code: string): Promise<{ readonly value: DerivedBot } | { readonly error: string }>
}
