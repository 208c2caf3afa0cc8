import type { BrowserContext, LaunchOptions } from 'playwright-core'

// What authors import as `@pennant/bot`, the only module that their code may import. See
// docs/author/admin-bot.md.

export type { BrowserContext, Page } from 'playwright-core'

/** An input that a team submits; it must match the pattern. */
export interface InputRule {
  readonly pattern: string
  readonly flags?: string
}

/** Regular expressions, matched anywhere in the text. */
export interface DomainRules {
  readonly allowRegex?: readonly (RegExp | string)[]
  readonly disallowRegex?: readonly (RegExp | string)[]
}

export interface Hooks {
  /** Console messages of pages. */
  readonly showConsoleLogs?: boolean
  /** Script errors, failed requests and crashed pages. */
  readonly showBrowserErrors?: boolean
  /** Navigations of tabs. */
  readonly showNavigation?: boolean
  readonly showDialogs?: boolean
  /**
   * Closes alerts, prompts and confirmations at once. Otherwise they are closed unless the handler listens
   * for them.
   */
  readonly autoDismissDialogs?: boolean
  /** Tabs beyond this number are closed as they open; -1 for no limit. */
  readonly limitTabsNumber?: number
  readonly limitTabsNumberShowError?: boolean
}

/** Lines that the team sees. The prefix names their source, such as `challenge`. */
export interface Output {
  info(prefix: string, line: string, extra?: unknown): void
  warn(prefix: string, line: string, extra?: unknown): void
  error(prefix: string, line: string, extra?: unknown): void
  fatal(prefix: string, line: string, extra?: unknown): void
}

/** Lines that only operators see, in the worker's log. */
export interface OperatorLog {
  info(line: string, extra?: unknown): void
  warn(line: string, extra?: unknown): void
  error(line: string, extra?: unknown): void
}

export interface VisitedInstance {
  readonly type: string
  readonly host: string
  readonly port: number
  readonly title?: string | undefined
}

export interface VisitJob {
  readonly challengeId: string
  readonly configRevision: string
  /** The team's id. */
  readonly userId: string
  /** ISO 8601. */
  readonly submittedAt: string
  readonly flags: readonly { readonly provider: string; readonly flag: string }[]
  /** The first of the flags; empty if there is none. */
  readonly flag: string
  /** Set when the challenge requires a running instance. */
  readonly instancerInstances: readonly VisitedInstance[]
}

export interface Visit<Names extends string = string> {
  readonly logger: OperatorLog
  /** A new Playwright context without cookies, storage or tabs. */
  readonly browserContext: BrowserContext
  readonly input: Readonly<Record<Names, string>>
  readonly output: Output
  readonly job: VisitJob
}

export interface ChallengeOptions<Names extends string = string> {
  /** Time limit of the handler; at most one hour. */
  readonly timeoutMilliseconds: number
  readonly inputs: Readonly<Record<Names, InputRule>>
  handler(visit: Visit<Names>): Promise<void>
  /** Default: `chrome`. */
  readonly browser?: 'chrome' | 'firefox'
  /** Only `stable`, the version in the worker's image. */
  readonly browserVersion?: string
  /** Replace the defaults, which disable the JavaScript and WebAssembly compilers. */
  readonly browserArguments?: readonly string[]
  /** Replace the defaults, which also disable the compilers. */
  readonly extraPrefsFirefox?: Readonly<Record<string, string | number | boolean>>
  /** Further Playwright launch options. The worker sets the executable, proxy, environment and sandbox. */
  readonly launchOptionsExtra?: LaunchOptions
  /** Number of newest lines to keep; default 64. */
  readonly maxLogLines?: number
  /** Maximum length of a text in a line before it is cut; default 2048. */
  readonly maxLogValueChars?: number
  readonly restrictDomains?: { readonly host?: DomainRules; readonly url?: DomainRules }
  /** The team's instance must keep running for at least the time limit. */
  readonly requireInstancerInstancesRunning?: boolean
  readonly hooksConfig?: Hooks
}

/** An author's module consists of `export const challenge = new Challenge({ … })`. */
export class Challenge<const Names extends string = string> {
  readonly options: ChallengeOptions<Names>

  constructor(options: ChallengeOptions<Names>) {
    this.options = options
  }
}
