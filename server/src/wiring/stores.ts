import type { Database } from '../db/database.ts'
import type { Kind } from '../features/contest/kinds/kind.ts'
import type { Visibility } from '../features/contest/visibility/visibility.ts'
import type { Tokens } from '../features/people/accounts/tokens.ts'
import type { Limiter } from '../http/request/limiter.ts'
import type { Circuits } from '../lib/circuits.ts'
import type { KeyValue } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import type { Tracing } from '../lib/tracing.ts'
import type { Follower } from '../world/sync/follower.ts'
import type { WorldView } from '../world/model.ts'

/** Dependencies that any part of the service may need, opened once. */
export interface Stores {
  readonly db: Database
  readonly keyValue: KeyValue
  readonly limiter: Limiter
  readonly follower: Follower
  /** The kinds of rows that are values. */
  readonly kinds: readonly Kind[]
  /** Everything: for organisers, for rules of actions, and for what concerns the caller's own team. */
  readonly world: () => WorldView
  /** What participants see of it: without what others did after the freeze. */
  readonly shown: () => WorldView
  /** Who sees which part of it. */
  readonly visibility: Visibility
  readonly tokens: Tokens
  /** Of calls of other services. */
  readonly circuits: Circuits
  /** For calls of other services: with a circuit for each host, and traced. */
  readonly fetch: typeof globalThis.fetch
  /** Null without a collector. */
  readonly tracing: Tracing | null
  /** docs/operate/doctor.md: `deploymentOf`. */
  readonly deployment: string
  readonly now: () => number
  readonly log: Log
}
