import type { Database } from '../db/database.ts'
import type { Tokens } from '../features/accounts/tokens.ts'
import type { Limiter } from '../http/limiter.ts'
import type { KeyValue } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import type { Follower } from '../world/sync/follower.ts'
import type { WorldView } from '../world/model.ts'

/** Dependencies that any part of the service may need, opened once. */
export interface Stores {
  readonly db: Database
  readonly keyValue: KeyValue
  readonly limiter: Limiter
  readonly follower: Follower
  readonly world: () => WorldView
  readonly tokens: Tokens
  readonly now: () => number
  readonly log: Log
}
