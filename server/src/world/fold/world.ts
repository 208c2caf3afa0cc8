import { effectiveTimes } from '../../lib/event-times.ts'
import type { Change, SettingsOverrides, WorldRows, WorldRules, WorldView } from '../model.ts'
import { isJsonEqual } from '../json-equal.ts'
import { loadRows } from '../kept-rows.ts'
import { createScoreRows } from '../score-rows.ts'
import { createSolves } from '../solves.ts'
import { createStandings, recomputeStandings } from '../standings.ts'
import { bumpBoard, bumpVersion, type State } from '../state.ts'
import { trackRules } from '../tracks.ts'
import { isPublicAt } from '../values.ts'
import { createView } from '../view/view.ts'
import { addChallenge, foldChallenges, sortChallenges } from './fold-challenges.ts'
import { foldFeed, foldPushes, loadFeed, loadFeedColumns } from './fold-feed.ts'
import { foldRows, loadScoreRows } from './fold-rows.ts'
import { foldSolves } from './fold-solves.ts'
import { addTeam, createTeams, foldTeams, setTracks } from './fold-teams.ts'
import { changeUntil, createGraphCache, stateUntil } from './freeze.ts'
import { loadSolves } from './load-solves.ts'
import { updateReleases } from './releases.ts'
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
  for (const each of rows.rows ?? []) loadRows(state.rows, each)
  for (const row of rows.teams) addTeam(state, row)
  for (const row of rows.challenges) addChallenge(state.challenges, row)
  sortChallenges(state.challenges)
  updateReleases(state)
  loadSolves(state, rows.solves, rows.solveColumns ?? [])
  loadFeed(state, {
    challengeIds: rows.challenges.map(({ id }) => id),
    rows: rows.feed,
    events: rows.feedEvents,
  })
  loadFeedColumns(state, rows.feedColumns ?? [])
  loadScoreRows(state)
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
    rows: new Map(),
    ...effectiveTimes(rules, settings),
    now,
    frozenAt: null,
    nextReleaseAt: null,
    // Versions start at the clock, so that a rebuilt world does not reuse the versions of the previous one.
    versions: { board: now, shown: now, teams: now, challenges: now, settings: now },
    lastTeamVersion: now,
    teams: createTeams(trackRules(settings.tracks)),
    challenges: { byId: new Map(), sorted: [], lists: null, listed: null },
    solves: createSolves(),
    scoreRows: createScoreRows(),
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
    case 'rows':
      foldRows(state, change)
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
  const tracks = trackRules(settings.tracks)
  const isSameTracks = isJsonEqual(state.teams.tracks, tracks)
  if (startTime === state.startTime && endTime === state.endTime && isSameTracks) return
  if (!isSameTracks) {
    setTracks(state, tracks)
    bumpVersion(state, 'teams')
  }
  state.startTime = startTime
  state.endTime = endTime
  updateReleases(state)
  recomputeStandings(state)
  bumpBoard(state, [])
}

function foldClock(state: State, now: number): void {
  const isRelease = state.challenges.sorted.some(({ row, isPublic }) => isPublic !== isPublicAt(row, now))
  state.now = now
  updateReleases(state)
  if (!isRelease) return
  recomputeStandings(state)
  bumpBoard(state, [])
}
