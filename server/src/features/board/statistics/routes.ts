import { Readable } from 'node:stream'
import * as contract from '@pennant/contract/statistics.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import type { Streamed } from '../../../http/response/streamed.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { WorldView } from '../../../world/model.ts'
import { visibleToAll } from '../../contest/challenges/visible.ts'
import { isIn, type Viewer } from '../../contest/visibility/rules.ts'
import { perExtent, type Visibility } from '../../contest/visibility/visibility.ts'
import { computeReport, createSlot, cacheReports, type InSlot } from './reports.ts'
import type { Report } from './rules.ts'
import { publicReport, withFirstSolvers, type PublicReport } from './public-report.ts'
import { csvOf, tableOf, type AdminTable } from './tables.ts'
import { createWrongFlags, type WrongFlags } from './wrong-flags.ts'

export interface StatisticsDeps {
  readonly db: Database
  /** Everything, for organisers. */
  readonly world: () => WorldView
  readonly visibility: Visibility
  readonly now: () => number
  readonly flags: Pick<Flags, 'findMatch'>
}

/** A report and its response, rendered once for all callers. */
interface Rendered<T> {
  readonly report: T
  readonly response: Prepared
}

export function statisticsRoutes(deps: StatisticsDeps): Endpoint[] {
  const inSlot = createSlot()
  const readAll = createAdminReport(deps, inSlot)
  const readOpen = createPublicReport(deps, inSlot)
  const wrongFlags = createWrongFlags(deps, inSlot)
  return [
    on(
      contract.readPublicStatistics,
      async ({ viewer }) => (await readOpen(viewer))?.response ?? contract.badStatistics(),
    ),

    on(contract.downloadPublicStatistics, async ({ params: { table }, viewer }) => {
      const open = await readOpen(viewer)
      return open ? fileOf(table, csvOf(tableOf(table, open.report))) : contract.badStatistics()
    }),

    on(contract.readEventStatistics, async () => (await readAll()).response),

    on(contract.listWrongFlags, async ({ query: { challenge, ...page } }) =>
      contract.goodWrongFlags(await wrongFlags.page(challenge, page)),
    ),

    on(contract.downloadEventStatistics, async ({ params: { table } }) =>
      fileOf(table, await adminTable(table, { readAll, wrongFlags })),
    ),
  ]
}

function createAdminReport(
  { db, world, now }: StatisticsDeps,
  inSlot: InSlot,
): () => Promise<Rendered<Report>> {
  const keep = cacheReports<Rendered<Report>>(now, inSlot)
  return () =>
    keep('', async () => {
      const report = await computeReport(db, world(), now())
      return { report, response: prepare(contract.goodEventStatistics(report)) }
    })
}

/** Null unless participants may read it: after the end, with nothing frozen. */
function createPublicReport(
  { db, visibility, now }: StatisticsDeps,
  inSlot: InSlot,
): (viewer: Viewer) => Promise<Rendered<PublicReport> | null> {
  const keepIn = perExtent(() => cacheReports<Rendered<PublicReport>>(now, inSlot))
  const isOpen = (view: WorldView) =>
    view.settings.statisticsPublic === true && view.frozenAt === null && now() >= view.endTime
  return async (viewer) => {
    const seen = visibility.seenBy(viewer)
    const view = seen.world
    if (!isOpen(view)) return null
    const visible = visibleToAll(view)
    // What is hidden, or moved, must not be served from what was kept before.
    const key = `${view.settingsKey} ${view.versions.challenges} ${visible.key}`
    const kept = await keepIn(seen.extent)(key, async () => {
      const whole = publicReport(await computeReport(db, visible.world, now()))
      // All divisions are counted, but only teams of the scoreboard have names.
      const report = withFirstSolvers(whole, ({ teamId }) =>
        isIn(seen.extent.board, view.team(teamId)?.division),
      )
      return { report, response: prepare(contract.goodStatistics(report)) }
    })
    // It may have been closed while it was computed.
    const after = visibility.seenBy(viewer)
    return after.extent.key === seen.extent.key && isOpen(after.world) ? kept : null
  }
}

interface AdminSources {
  readonly readAll: () => Promise<Rendered<Report>>
  readonly wrongFlags: WrongFlags
}

async function adminTable(table: AdminTable, { readAll, wrongFlags }: AdminSources): Promise<string> {
  if (table !== 'wrong-flags') return csvOf(tableOf(table, (await readAll()).report))
  const { flags } = await wrongFlags.page(undefined, { offset: 0, limit: contract.STATISTICS_ROWS })
  return csvOf(
    flags.map(({ challengeId, challengeName, challengeCategory, flag, submissions, teams }) => ({
      challenge_id: challengeId,
      challenge: challengeName,
      category: challengeCategory,
      flag,
      submissions,
      teams,
    })),
  )
}

function fileOf(table: string, text: string): Streamed {
  const bytes = Buffer.from(text)
  return {
    kind: 'streamed',
    fileName: `${table}.csv`,
    sizeBytes: bytes.length,
    content: Readable.from([bytes]),
  }
}
