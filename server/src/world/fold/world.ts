import { effectiveTimes } from '../../lib/event-times.ts'
import type { Change, SettingsOverrides, WorldRows, WorldRules, WorldView } from '../model.ts'
import { createAdjustments } from '../adjustments.ts'
import { sortAnnouncements } from '../announcements.ts'
import { createHints } from '../hints.ts'
import { sortWaves } from '../waves.ts'
import { createSolves } from '../solves.ts'
import { createStandings, recomputeStandings } from '../standings.ts'
import { bumpBoard, bumpVersion, type State } from '../state.ts'
import { isPublicAt } from '../values.ts'
import { createView } from '../view/view.ts'
import { foldAdjustments, loadAdjustments } from './fold-adjustments.ts'
import { addChallenge, foldChallenges, scheduleRelease, sortChallenges } from './fold-challenges.ts'
import { foldFeed, foldPushes, loadFeed, loadFeedColumns } from './fold-feed.ts'
import { countHints, foldHints, foldPurchases } from './fold-hints.ts'
import { foldSolves } from './fold-solves.ts'
import { addTeam, createTeams, foldTeams } from './fold-teams.ts'
import { changeUntil, createGraphCache, stateUntil } from './freeze.ts'
import { isJsonEqual } from './json-equal.ts'
import { loadSolves } from './load-solves.ts'
import { rankLoadedSolves } from './solve-ranks.ts'

/** The contest in memory. Its state depends only on rows and changes: no clock, no database. */
export interface World extends WorldView {
  /** Only for functions of this file. */
  readonly [stateOf]: State
}

const stateOf = Symbol('state')

/** Builds the world from rows. `now` decides which challenges are released. */
export function createWorld(rules: WorldRules, rows: WorldRows, now: number): World {
  const state = createState(rules, rows.settings, now)
  state.announcements = sortAnnouncements(rows.announcements ?? [])
  state.waves = sortWaves(rows.waves ?? [])
  state.hints = createHints(rows.hints ?? [])
  for (const row of rows.teams) addTeam(state, row)
  for (const row of rows.challenges) addChallenge(state.challenges, row)
  sortChallenges(state.challenges)
  countHints(state)
  scheduleRelease(state)
  const buyers = new Set((rows.purchases ?? []).map(({ teamId }) => teamId))
  foldPurchases(state, { kind: 'purchases', teamIds: [...buyers], rows: rows.purchases ?? [] })
  loadSolves(state, rows.solves, rows.solveColumns ?? [])
  loadFeed(state, {
    challengeIds: rows.challenges.map(({ id }) => id),
    rows: rows.feed,
    events: rows.feedEvents,
  })
  loadFeedColumns(state, rows.feedColumns ?? [])
  loadAdjustments(state, rows.adjustments ?? [])
  recomputeStandings(state)
  rankLoadedSolves(state, rows.latestSolves ?? [])
  return worldOf(state)
}

function worldOf(state: State, own?: World): World {
  return Object.assign(createView(state, own), { [stateOf]: state })
}

/** A copy without the solves and pushed scores after a time. `foldFrozen` applies changes to it. */
export function freezeWorld(world: World, until: number): World {
  return worldOf(stateUntil(world[stateOf], until), world)
}

function createState(rules: WorldRules, settings: SettingsOverrides, now: number): State {
  return {
    rules,
    settings,
    announcements: [],
    waves: [],
    hints: createHints([]),
    purchases: new Map(),
    ...effectiveTimes(rules, settings),
    now,
    frozenAt: null,
    nextReleaseAt: null,
    // Versions start at the clock, so that a rebuilt world does not reuse the versions of the previous one.
    versions: { board: now, shown: now, challenges: now, settings: now },
    lastTeamVersion: now,
    teams: createTeams(),
    challenges: { byId: new Map(), sorted: [], lists: null },
    solves: createSolves(),
    adjustments: createAdjustments(),
    standings: createStandings(),
    graph: createGraphCache(),
  }
}

/**
 * Applies one change to the world in place and returns the same object. For every sequence of changes the
 * result equals `createWorld` from the final rows.
 */
export function fold(world: World, change: Change): World {
  const state = world[stateOf]
  switch (change.kind) {
    case 'teams':
      foldTeams(state, change)
      break
    case 'challenges':
      foldChallenges(state, change)
      break
    case 'solves':
      foldSolves(state, change)
      break
    case 'feed':
      foldFeed(state, change)
      break
    case 'pushes':
      foldPushes(state, change.events)
      break
    case 'settings':
      foldSettings(state, change.settings)
      break
    case 'announcements':
      state.announcements = sortAnnouncements(replaced(state.announcements, change))
      break
    case 'waves':
      state.waves = sortWaves(replaced(state.waves, change))
      break
    case 'hints':
      foldHints(state, change)
      updateHints(state)
      break
    case 'purchases':
      foldPurchases(state, change)
      break
    case 'adjustments':
      foldAdjustments(state, change)
      break
    case 'clock':
      foldClock(state, change.now)
      break
  }
  return world
}

/** As `fold`, for a frozen world; null if it must be frozen again, from the world that the change was applied to. */
export function foldFrozen(frozen: World, change: Change): World | null {
  const { frozenAt } = frozen
  if (change.kind === 'feed' || frozenAt === null) return null
  return fold(frozen, changeUntil(change, frozenAt))
}

/** The id of the last known event of the challenge's feed; null if the whole feed must be read. */
export function lastFeedEvent(world: World, challengeId: string): number | null {
  return world[stateOf].challenges.byId.get(challengeId)?.feed.lastEventId ?? null
}

function foldSettings(state: State, settings: SettingsOverrides): void {
  if (isJsonEqual(state.settings, settings)) return
  state.settings = settings
  bumpVersion(state, 'settings')
  const { startTime, endTime } = effectiveTimes(state.rules, settings)
  if (startTime === state.startTime && endTime === state.endTime) return
  state.startTime = startTime
  state.endTime = endTime
  updateHints(state)
  recomputeStandings(state)
  bumpBoard(state, [])
}

interface Replacement<Row> {
  readonly rows: readonly Row[]
  readonly removed: readonly string[]
}

/** The known rows with the changed ones in place of their earlier versions. */
function replaced<Row extends { readonly id: string }>(
  known: readonly Row[],
  { rows, removed }: Replacement<Row>,
): Row[] {
  const gone = new Set([...removed, ...rows.map(({ id }) => id)])
  return [...known.filter(({ id }) => !gone.has(id)), ...rows]
}

function foldClock(state: State, now: number): void {
  const isRelease = state.challenges.sorted.some(({ row, isPublic }) => isPublic !== isPublicAt(row, now))
  state.now = now
  updateHints(state)
  if (!isRelease) return
  recomputeStandings(state)
  bumpBoard(state, [])
}

/** Which hints are released depends on the clock, the start, and the release of their challenges. */
function updateHints(state: State): void {
  countHints(state)
  scheduleRelease(state)
}
