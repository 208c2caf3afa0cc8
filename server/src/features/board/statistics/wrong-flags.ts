import type { WrongFlag } from '@pennant/contract/statistics.ts'
import type { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { WorldView } from '../../../world/model.ts'
import { cacheReports, type InSlot } from './reports.ts'
import { findRevealing } from './right-flags.ts'
import { readWrongFlags, type WrongFlagRow } from './store.ts'

interface WrongFlagDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly flags: Pick<Flags, 'findMatch'>
}

interface Page {
  readonly offset: number
  readonly limit: number
}

export interface WrongFlags {
  /** The most common one of each challenge, most teams first, or those of one challenge. */
  page(
    challengeId: string | undefined,
    page: Page,
  ): Promise<{ readonly total: number; readonly flags: z.input<typeof WrongFlag>[] }>
}

type Listed = ReadonlyMap<string, readonly WrongFlagRow[]>

export function createWrongFlags(deps: WrongFlagDeps, inSlot: InSlot): WrongFlags {
  const { db, world, now } = deps
  const keep = cacheReports<Listed>(now, inSlot)
  const readAll = () =>
    keep('', async () => {
      const ids = world()
        .challenges()
        .map(({ id }) => id)
      const rows = (await readWrongFlags(db, ids)).toSorted((a, b) => a.place - b.place)
      return groupBy(rows, ({ challengeId }) => challengeId)
    })
  return {
    async page(challengeId, { offset, limit }) {
      const listed = await readAll()
      const rows = challengeId === undefined ? firstOfEach(listed) : (listed.get(challengeId) ?? [])
      // A challenge that was deleted since is not listed any more.
      const known = rows.filter((row) => world().challenge(row.challengeId))
      const page = known.slice(offset, offset + limit)
      // Not kept with the rows: the flags of a challenge may change.
      const revealing = await findRevealing(deps, page)
      const view = world()
      return {
        total: known.length,
        flags: page.map((row) => wrongFlagView(view, row, revealing.has(row))),
      }
    },
  }
}

function firstOfEach(listed: Listed): WrongFlagRow[] {
  return [...listed.values()]
    .flatMap(([first]) => (first ? [first] : []))
    .sort(
      (a, b) =>
        b.teams - a.teams || b.submissions - a.submissions || (a.challengeId < b.challengeId ? -1 : 1),
    )
}

function wrongFlagView(
  world: WorldView,
  { challengeId, flag, submissions, teams, firstAt, lastAt }: WrongFlagRow,
  isRevealing: boolean,
): z.input<typeof WrongFlag> {
  const challenge = world.challenge(challengeId)
  return {
    challengeId,
    challengeName: challenge?.name ?? challengeId,
    challengeCategory: challenge?.category ?? '',
    flag: isRevealing ? null : flag,
    submissions,
    teams,
    firstAt,
    lastAt,
  }
}
