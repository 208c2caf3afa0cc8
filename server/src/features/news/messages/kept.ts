import { LRUCache } from 'lru-cache'
import type { Queries } from '../../../db/database.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { Follower } from '../../../world/sync/follower.ts'
import { readOptions, type Options } from './admin-store.ts'
import { readTeamsWithThreads, readThreadsOfTeam, type ThreadRow } from './store.ts'

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

/** With more than these, each team is asked for on its own. */
const MAX_TEAMS = 20_000
/** Of all threads together, about 8 MB. */
const MAX_THREADS = 20_000

const NONE: readonly ThreadRow[] = []

/** Keeps what was read until the change log names the team, or the options. */
export function cacheMessages({ db, follower }: KeptDeps): KeptMessages {
  const threads = new LRUCache<string, readonly ThreadRow[]>({ maxSize: MAX_THREADS * 2 })
  const askers = cacheAskers(db)
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
        for (let at = 1; at < ids.length; at += 2) {
          threads.delete(ids[at] ?? '')
          askers.add(ids[at] ?? '')
        }
      }
    },
    reloaded() {
      changes += 1
      options = null
      threads.clear()
      askers.forget()
    },
  })

  return {
    async threadsOf(teamId) {
      const known = mayUseCaches() ? threads.get(teamId) : undefined
      if (known) return known
      if (mayUseCaches() && !(await askers.mayHave(teamId))) return NONE
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

/** The teams that have threads: at the opening of an event all teams ask for theirs at once, and none has any. */
function cacheAskers(db: Queries) {
  /** Null if there are too many. */
  let read: Promise<ReadonlySet<string> | null> | null = null
  /** Those that the change log named. A query that was sent before may not have seen them. */
  const named = new Set<string>()

  async function readAll(): Promise<ReadonlySet<string> | null> {
    const ids = await readTeamsWithThreads(db, MAX_TEAMS + 1)
    return ids.length > MAX_TEAMS ? null : new Set(ids)
  }

  return {
    add(teamId: string): void {
      named.add(teamId)
      if (named.size <= MAX_TEAMS) return
      read = Promise.resolve(null)
      named.clear()
    },
    forget(): void {
      read = null
      named.clear()
    },
    async mayHave(teamId: string): Promise<boolean> {
      read ??= readAll()
      const reading = read
      try {
        const teams = await reading
        return teams === null || named.has(teamId) || teams.has(teamId)
      } catch (error) {
        if (read === reading) read = null
        throw error
      }
    },
  }
}
