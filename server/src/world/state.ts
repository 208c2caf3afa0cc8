import { createChallenges, type Challenges, type Entry } from './challenges.ts'
import type { GraphCache } from './graph-types.ts'
import { boundedMap } from '../lib/bounded-map.ts'
import type { SettingsOverrides, Versions, WorldRules } from './model.ts'
import { createSolves, type Solves } from './solves.ts'
import { createStandings, type Standings } from './order.ts'
import { createTeams, type Teams } from './teams.ts'

/** Everything the world knows. The fold changes it in place; readers go through the view. */
export interface State {
  readonly rules: WorldRules
  settings: SettingsOverrides
  startTime: number
  endTime: number
  now: number
  nextReleaseAt: number | null
  versions: Versions
  /** The last number given to a version of a team. */
  stamp: number
  readonly teams: Teams
  readonly challenges: Challenges
  readonly solves: Solves
  readonly standings: Standings
  readonly graph: GraphCache
}

/** Sizes are points of 32 bytes or so: 8 MB, the lines of some pages of a long event. */
const KEPT_LINES = { maxEntries: 2000, maxSize: 250_000 }

export function createState(rules: WorldRules, settings: SettingsOverrides, now: number): State {
  return {
    rules,
    settings,
    startTime: settings.startTime ?? rules.startTime,
    endTime: settings.endTime ?? rules.endTime,
    now,
    nextReleaseAt: null,
    // Numbers start at the clock, so that a world that was built again does not repeat those of the one before.
    versions: { board: now, challenges: now, settings: now },
    stamp: now,
    teams: createTeams(),
    challenges: createChallenges(),
    solves: createSolves(),
    standings: createStandings(),
    graph: { plan: null, lines: boundedMap(KEPT_LINES) },
  }
}

/** Tells readers that something they may have kept is no longer true. */
export function raise(state: State, what: keyof Versions): void {
  state.versions = { ...state.versions, [what]: state.versions[what] + 1 }
  if (what === 'challenges') state.challenges.lists = null
}

export function raiseTeam(state: State, slot: number): void {
  state.stamp += 1
  state.teams.versions[slot] = state.stamp
}

/** What a challenge shows changed. */
export function raiseChallenge(state: State, entry: Entry): void {
  entry.view = null
  raise(state, 'challenges')
}
