import type { BrowserContext, LaunchOptions } from 'playwright-core'

// What authors import as `@pennant/bot`: the one module that their code may use. docs/author/admin-bot.md explains it.

export type { BrowserContext, Page } from 'playwright-core'

/** What a team may send: a text in which the pattern is found. */
export interface InputRule {
  readonly pattern: string
  readonly flags?: string
}

/** Regular expressions that are looked for anywhere in what they judge. */
export interface DomainRules {
  readonly allowRegex?: readonly (RegExp | string)[]
  readonly disallowRegex?: readonly (RegExp | string)[]
}

export interface Hooks {
  /** What pages write to their console. */
  readonly showConsoleLogs?: boolean
  /** Errors of scripts, requests that failed, pages that crashed. */
  readonly showBrowserErrors?: boolean
  /** Where tabs go. */
  readonly showNavigation?: boolean
  readonly showDialogs?: boolean
  /** Closes alerts, prompts and questions at once. Without it they are closed unless the handler listens to them. */
  readonly autoDismissDialogs?: boolean
  /** Tabs beyond this number are closed as they open; -1 for any number. */
  readonly limitTabsNumber?: number
  readonly limitTabsNumberShowError?: boolean
}

/** Lines that the team reads. The prefix says where they come from, as `challenge`. */
export interface Output {
  info(prefix: string, line: string, extra?: unknown): void
  warn(prefix: string, line: string, extra?: unknown): void
  error(prefix: string, line: string, extra?: unknown): void
  fatal(prefix: string, line: string, extra?: unknown): void
}

/** Lines that only operators read, in the worker's log. */
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
  /** The first of the flags, empty when there is none. */
  readonly flag: string
  /** Filled when the challenge requires a running instance. */
  readonly instancerInstances: readonly VisitedInstance[]
}

export interface Visit<Names extends string = string> {
  readonly logger: OperatorLog
  /** Playwright's, fresh: no cookies, no storage, no tabs. */
  readonly browserContext: BrowserContext
  readonly input: Readonly<Record<Names, string>>
  readonly output: Output
  readonly job: VisitJob
}

export interface ChallengeOptions<Names extends string = string> {
  /** The handler's limit, at most an hour. */
  readonly timeoutMilliseconds: number
  readonly inputs: Readonly<Record<Names, InputRule>>
  handler(visit: Visit<Names>): Promise<void>
  /** `chrome` unless said otherwise. */
  readonly browser?: 'chrome' | 'firefox'
  /** Only `stable`: what the worker's image has. */
  readonly browserVersion?: string
  /** In place of the usual ones, which turn the compilers of JavaScript and WebAssembly off. */
  readonly browserArguments?: readonly string[]
  /** In place of the usual ones, which do the same. */
  readonly extraPrefsFirefox?: Readonly<Record<string, string | number | boolean>>
  /** More of Playwright's launch options. Program, proxy, environment and sandbox stay the worker's. */
  readonly launchOptionsExtra?: LaunchOptions
  /** Newest lines that are kept, 64. */
  readonly maxLogLines?: number
  /** Length at which a text in a line is cut, 2048. */
  readonly maxLogValueChars?: number
  readonly restrictDomains?: { readonly host?: DomainRules; readonly url?: DomainRules }
  /** The team's instance must run for at least as long as the limit. */
  readonly requireInstancerInstancesRunning?: boolean
  readonly hooksConfig?: Hooks
}

/** `export const challenge = new Challenge({ … })` is what a module of an author consists of. */
export class Challenge<const Names extends string = string> {
  readonly options: ChallengeOptions<Names>

  constructor(options: ChallengeOptions<Names>) {
    this.options = options
  }
}
