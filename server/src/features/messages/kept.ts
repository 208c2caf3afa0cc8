import { LRUCache } from 'lru-cache'
import type { Queries } from '../../db/database.ts'
import { mayUseCaches } from '../../lib/caching.ts'
import type { Follower } from '../../world/sync/follower.ts'
import { readOptions, type Options } from './admin-store.ts'
import { readThreadsOfTeam, type ThreadRow } from './store.ts'

// Every open page of a signed-in team asks for its threads, and most teams have none.

export interface KeptMessages {
  /** Newest first. */
  threadsOf(teamId: string): Promise<readonly ThreadRow[]>
  options(): Promise<Options>
}

export interface KeptDeps {
  readonly db: Queries
  readonly follower: Pick<Follower, 'onLog'>
}

/** About 2 MB if few teams have threads. */
const MAX_TEAMS = 20_000
/** Of all threads together, about 8 MB. */
const MAX_THREADS = 20_000

/** Keeps what was read until the change log names the team, or the options. */
export function keepMessages({ db, follower }: KeptDeps): KeptMessages {
  const threads = new LRUCache<string, readonly ThreadRow[]>({ max: MAX_TEAMS, maxSize: MAX_THREADS * 2 })
  let options: Options | null = null
  /** Rows that were read before a change and arrive after it may be old. */
  let changes = 0

  follower.onLog({
    entries(entries) {
      for (const { kind, ids } of entries) {
        if (kind !== 'messages' && kind !== 'challenges') continue
        changes += 1
        // Threads about a deleted challenge are general ones.
        if (kind === 'challenges') {
          threads.clear()
          continue
        }
        // Pairs of a thread and its team; none if the options have changed.
        if (ids.length === 0) options = null
        for (let at = 1; at < ids.length; at += 2) threads.delete(ids[at] ?? '')
      }
    },
    reloaded() {
      changes += 1
      options = null
      threads.clear()
    },
  })

  return {
    async threadsOf(teamId) {
      const known = mayUseCaches() ? threads.get(teamId) : undefined
      if (known) return known
      const before = changes
      const rows = await readThreadsOfTeam(db, teamId)
      if (changes === before) threads.set(teamId, rows, { size: rows.length + 1 })
      return rows
    },

    async options() {
      if (options && mayUseCaches()) return options
      const before = changes
      const row = await readOptions(db)
      if (changes === before) options = row
      return row
    },
  }
}
