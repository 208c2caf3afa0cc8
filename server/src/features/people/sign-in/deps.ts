import type { IncomingHttpHeaders } from 'node:http'
import type { SecondFactorRole } from '@pennant/contract/permissions.ts'
import type { Database } from '../../../db/database.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import type { Bus, Markers } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Definitions } from '../../site/custom-fields/definitions.ts'
import type { Tokens } from '../accounts/tokens.ts'
import type { Provider } from './provider.ts'
import type { Account } from './store.ts'
import type { VerifyTokens } from '../accounts/verify-tokens.ts'

export interface SignInDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly tokens: Tokens
  readonly markers: Markers
  readonly limiter: Limiter
  readonly bus: Bus
  readonly log: Log
  readonly now: () => number
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  readonly loginTimeoutMs: number
  readonly emailEnabled: boolean
  /** False if the event has teams only: no one signs in as a person then. */
  readonly hasPeople: boolean
  readonly providers: readonly Provider[]
  /** Whether an unknown address becomes a person. */
  readonly canRegister: () => boolean
  /** In an event for individuals: gives the person a team, or returns the kind of reply that says why not. */
  readonly createTeam: ((person: Pick<Account, 'id' | 'name' | 'teamId'>) => Promise<string | null>) | null
  /** What people are asked for. */
  readonly definitions: () => Definitions
  readonly sessionLifeMs: number
  /** For people in teams with permissions. */
  readonly organiserSessionLifeMs: number
  /** Roles that need a second factor. */
  readonly demanded: readonly SecondFactorRole[]
}

export interface SignInContext extends SignInDeps {
  readonly verifyTokens: VerifyTokens
}

/** Where a sign-in comes from, as the list of sessions shows it. */
export interface Visitor {
  readonly browser: string
  readonly ip: string
}

export function visitorOf(call: {
  readonly ip: string
  readonly incoming: { readonly headers: IncomingHttpHeaders }
}): Visitor {
  const { 'user-agent': browser = '' } = call.incoming.headers
  return { browser: browser.replaceAll(/\p{C}/gu, ''), ip: call.ip }
}
