/** Accounts of the group or domain belong to the division. */
interface DivisionRule {
  readonly group?: string | undefined
  readonly domain?: string | undefined
  readonly division: string
}

/** As configured: docs/operate/sign-in.md */
export interface ProviderOptions {
  readonly id: string
  readonly preset?: string | undefined
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly scopes?: readonly string[] | undefined
  /** Whether an unknown account becomes a person. */
  readonly create: boolean
  /** If not empty, accounts of others are refused. */
  readonly domains: readonly string[]
  readonly groups: readonly string[]
  readonly groupsClaim: string
  /** The first that fits an account decides the division of its team. */
  readonly divisions: readonly DivisionRule[]
  readonly isPlainOauth: boolean
}

/** Known to the server and never sent to the browser, but for the state. */
export interface Secrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
  readonly name: string | null
  /** For the person to recognise the account. Proves nothing. */
  readonly label: string
  readonly domain: string | null
  readonly groups: readonly string[]
  /** How the provider says that it authenticated (RFC 8176). */
  readonly amr: readonly string[]
}

export interface Provider {
  readonly options: ProviderOptions
  readonly redirectUri: string
  /** Where the browser goes. Rejects if the provider cannot be reached or is not the configured one. */
  authorizationUrl(secrets: Secrets): Promise<string>
  /** The account that the provider's response proves. Rejects for every other response. */
  accountOf(response: URLSearchParams, secrets: Secrets): Promise<ProviderAccount>
  /** Rejects unless the provider can be used. */
  check(): Promise<void>
}

export interface ProviderContext {
  readonly origin: string
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
}

/** Why an account may not sign in, or null. */
export function accountProblem(
  { domains, groups }: ProviderOptions,
  account: ProviderAccount,
): 'domain' | 'group' | null {
  if (domains.length > 0 && !(account.domain !== null && domains.includes(account.domain))) return 'domain'
  return groups.length > 0 && !account.groups.some((group) => groups.includes(group)) ? 'group' : null
}

/** Null if no rule fits. */
export function divisionOf(
  { divisions }: Pick<ProviderOptions, 'divisions'>,
  account: ProviderAccount,
): string | null {
  const fits = ({ group, domain }: DivisionRule) =>
    group === undefined ? account.domain === domain : account.groups.includes(group)
  return divisions.find(fits)?.division ?? null
}

/** Without the message, which may quote a token. */
export function providerReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, error: said } = error as Error & { readonly code?: unknown; readonly error?: unknown }
  const inner = error.cause instanceof Error ? providerReason(error.cause) : ''
  return [error.name, code, said, inner].filter((part) => typeof part === 'string' && part !== '').join(' ')
}
