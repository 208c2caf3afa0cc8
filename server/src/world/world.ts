import { loadFeedColumns } from './bulk-feed.ts'
import { loadSolves } from './bulk.ts'
import { createEntry, isPublicAt, sortChallenges } from './challenges.ts'
import { foldChallenges, planRelease } from './fold-challenges.ts'
import { foldFeed, foldPushes, loadFeed } from './fold-feed.ts'
import { foldSolves } from './fold-solves.ts'
import { foldTeams } from './fold-teams.ts'
import type { Change, SettingsOverrides, WorldRows, WorldRules, WorldView } from './model.ts'
import { isSame } from './same.ts'
import { standAgain } from './standings.ts'
import { createState, raise, raiseTeam, type State } from './state.ts'
import { addTeam } from './teams.ts'
import { createView } from './view.ts'

/** The contest in memory. Pure in what it tells: rows and changes in, answers out; no clock, no database. */
export interface World extends WorldView {
  /** For the fold alone. */
  readonly [stateOf]: State
}

const stateOf = Symbol('state')

/** Builds the world from rows. `now` decides which releases have come. */
export function createWorld(rules: WorldRules, rows: WorldRows, now: number): World {
  const state = createState(rules, rows.settings, now)
  for (const row of rows.teams) raiseTeam(state, addTeam(state.teams, row))
  for (const row of rows.challenges) state.challenges.byId.set(row.id, createEntry(row))
  sortChallenges(state.challenges)
  planRelease(state)
  loadSolves(state, rows.solves, rows.solveColumns ?? [])
  loadFeed(state, {
    challengeIds: rows.challenges.map(({ id }) => id),
    rows: rows.feed,
    events: rows.feedEvents,
  })
  loadFeedColumns(state, rows.feedColumns ?? [])
  standAgain(state)
  return Object.assign(createView(state), { [stateOf]: state })
}

/**
 * Brings the world one step on and returns it: the same object, changed in place. For every sequence of changes the
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
    case 'clock':
      foldClock(state, change.now)
      break
  }
  return world
}

/**
 * The last of the challenge's feed events that the world knows: a push is read from there. Null when the whole feed is
 * to be read.
 */
export function lastFeedEvent(world: World, challengeId: string): number | null {
  return world[stateOf].challenges.byId.get(challengeId)?.feed.lastEventId ?? null
}

function foldSettings(state: State, settings: SettingsOverrides): void {
  if (isSame(state.settings, settings)) return
  state.settings = settings
  raise(state, 'settings')
  const startTime = settings.startTime ?? state.rules.startTime
  const endTime = settings.endTime ?? state.rules.endTime
  if (startTime === state.startTime && endTime === state.endTime) return
  state.startTime = startTime
  state.endTime = endTime
  standAgain(state)
  raise(state, 'board')
}

function foldClock(state: State, now: number): void {
  const isRelease = state.challenges.sorted.some(({ row, isPublic }) => isPublic !== isPublicAt(row, now))
  state.now = now
  planRelease(state)
  if (!isRelease) return
  standAgain(state)
  raise(state, 'board')
}
