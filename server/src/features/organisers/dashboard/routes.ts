import {
  goodAdminOverview,
  goodAdminStatistics,
  goodScoresPreview,
  previewScores,
  readOverview,
  readStatistics,
} from '@pennant/contract/overview.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { readFailedBackup, readLastBackup } from '../../../db/backups.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { memoizeFor } from '../../../lib/memoize-for.ts'
import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { WorldView } from '../../../world/model.ts'
import type { EngineView, InstanceWatch } from '../../engines/instances/watch.ts'
import { everything, type Result } from '../../contest/submissions/audit-scope.ts'
import { createTallies } from '../../contest/submissions/audit-tallies.ts'
import { countInstances, createEngineReader, engineFindings } from './engines.ts'
import { createMinutes } from './minutes.ts'
import { maxSolvesOf, previewValues } from './preview.ts'
import * as rules from './rules.ts'
import type { QueueState } from './backlog.ts'
import { activeTeams, readClock, readOutbox, readQueues } from './store.ts'
import { countRegistrations, registrationFindings } from './registrations.ts'
import { categoryStatistics, challengeStatistics, solvesOverTime } from './statistics.ts'
import { createWarningTracker, type WarningSource } from './warnings.ts'

export interface OverviewDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly standingsAgeMs: () => number
  /** Names of the configured instancers. */
  readonly instancers: ReadonlySet<string>
  /** Null if no instancer is configured. */
  readonly watch: InstanceWatch | null
  readonly hasBot: boolean
  /** Milliseconds between scheduled backups; 0 without a schedule. */
  readonly backupEveryMs: number
  readonly formula: { readonly name: string; readonly score: ScoreFormula }
  /** Additional warning sources that apply to this deployment. */
  readonly sources: readonly WarningSource[]
}

/** Cached, so that ten open dashboards cost as much as one. */
const FRESH_MS = 1_000
/**
 * The active teams of the last 15 minutes change slowly, and counting them reads all submissions of that
 * time.
 */
const ACTIVE_FRESH_MS = 15_000
const ACTIVE_WINDOW_MS = 15 * MINUTE_MS
/** Statistics of the whole event change slowly. */
const STATISTICS_FRESH_MS = 15_000

export function overviewRoutes(deps: OverviewDeps): Endpoint[] {
  const { world, now, formula } = deps
  const overview = createOverview(deps)
  return [
    on(readOverview, overview),

    on(readStatistics, createStatistics(deps)),

    on(previewScores, ({ query: { min, max, maxSolves, firstSolveAt } }) => {
      const { startTime, endTime } = world()
      const values = previewValues(formula.score, {
        min,
        max,
        startTime,
        endTime,
        maxSolves: maxSolves ?? maxSolvesOf(world()),
        firstSolveAt: firstSolveAt ?? now(),
      })
      return goodScoresPreview({ provider: formula.name, values })
    }),
  ]
}

function createOverview(deps: OverviewDeps): () => Promise<Prepared> {
  const { db, world, now, watch } = deps
  const perMinute = createMinutes()
  const readEngines = watch ? createEngineReader(watch) : async () => null
  const trackWarnings = createWarningTracker(now)
  const countActive = memoizeFor(ACTIVE_FRESH_MS, now, async () => {
    const from = (await readClock(db)) - ACTIVE_WINDOW_MS
    const [row] = await db.query<{ count: number }>(activeTeams(from))
    return row?.count ?? 0
  })

  return memoizeFor(FRESH_MS, now, async () => {
    const clockMs = await readClock(db)
    // Sequential, so that a dashboard uses only one connection and leaves the others to the contest.
    const minutes = await perMinute(db, clockMs)
    const activeTeams15m = await countActive()
    const outbox = await readOutbox(db)
    const queues = await readQueues(db, now())
    const views = await readEngines()
    const { newVerifications } = queues
    const registrations = countRegistrations(world().teams(), { newVerifications, clockMs })
    const lastBackupAt = deps.backupEveryMs > 0 ? await readLastBackup(db) : null
    const failedAt = deps.backupEveryMs > 0 ? await readFailedBackup(db) : null
    const organisers = rules.organisersWithSolves(world())
    const found = await findAll(deps, { clockMs, queues, views })
    const warnings = trackWarnings([
      ...found,
      ...rules.organiserFindings(organisers),
      ...rules.outboxFindings(outbox),
      ...registrationFindings(registrations),
      ...(deps.backupEveryMs > 0 ? rules.backupFindings(lastBackupAt, deps.backupEveryMs, now()) : []),
      ...rules.failedBackupFindings(failedAt),
    ])
    return prepare(
      goodAdminOverview({
        now: now(),
        submissionsPerMinute: minutes.map(({ count }) => count),
        correctPerMinute: minutes.map(({ correct }) => correct),
        solves: countSolves(world()),
        teams: world().teamCount(),
        activeTeams15m,
        pendingVerifications: queues.verifications,
        ...(queues.waitingRegistrations > 0 && { waitingRegistrations: queues.waitingRegistrations }),
        registrations10m: registrations.recent,
        instances: views && countInstances(views),
        adminBot: deps.hasBot ? botOf(queues, now()) : null,
        outboxPending: outbox.reduce((sum, { pending }) => sum + pending, 0),
        standingsAgeMs: Math.round(deps.standingsAgeMs()),
        ...(deps.backupEveryMs > 0 && { lastBackupAt }),
        organisersWithSolves: organisers,
        warnings,
      }),
    )
  })
}

/** The audit is counted in two statements on one connection; rows that cannot change any more only once. */
function createStatistics({ db, world, now }: OverviewDeps): () => Promise<Prepared> {
  const tallies = createTallies(now)
  const countFlags = (result: Result) =>
    tallies.read(db, { ...everything, results: [result] }, 'challenge_id')
  return memoizeFor(STATISTICS_FRESH_MS, now, async () => {
    const correct = await countFlags('correct')
    const wrong = await countFlags('incorrect')
    return prepare(
      goodAdminStatistics({
        now: now(),
        solves: solvesOverTime(world(), now()),
        challenges: challengeStatistics(world(), { correct, wrong }),
        categories: categoryStatistics(world()),
      }),
    )
  })
}

interface Seen {
  readonly clockMs: number
  readonly queues: QueueState
  readonly views: readonly EngineView[] | null
}

async function findAll(deps: OverviewDeps, { clockMs, queues, views }: Seen) {
  const now = deps.now()
  const others = await Promise.all(deps.sources.map((source) => source()))
  return [
    ...rules.challengeFindings(deps.world(), deps),
    ...rules.queueFindings(queues, now),
    ...rules.ageFindings(deps.standingsAgeMs(), now),
    ...rules.clockFindings(now, clockMs),
    ...engineFindings(views ?? []),
    ...others.flat(),
  ]
}

function countSolves(world: WorldView): number {
  return world
    .publicChallenges()
    .reduce((sum, { scoringKind, solveCount }) => (scoringKind === 'dynamic' ? sum : sum + solveCount), 0)
}

function botOf({ botQueued, botRunning, botOldestAt }: QueueState, now: number) {
  const oldestQueuedMs = botOldestAt ? Math.max(0, now - botOldestAt.getTime()) : 0
  return { queued: botQueued, running: botRunning, oldestQueuedMs }
}
