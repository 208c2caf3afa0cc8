import { graphOf } from '../graph/graph.ts'
import { sliceOf } from '../kept-rows.ts'
import type { Challenge, TeamRow, WorldView } from '../model.ts'
import type { Entry, State } from '../state.ts'
import { ranksAt, scoresAt } from './past.ts'
import { rankedSlots, searchSlots } from './ranks.ts'
import { dynamicScoreOf, dynamicScoresOf, feedScoresOfTeam, scoresOfChallenge, standingOf } from './scores.ts'
import {
  areRanked,
  hasSolved,
  solvedMarks,
  solveCountOfTeam,
  solvedAt,
  solveOfTeam,
  solvesOfChallenge,
  solvesOfTeam,
} from './solves.ts'

let lastWorldNumber = 0

/** `own` is the view that includes what is left out of a frozen state; the view itself without it. */
export function createView(state: State, own?: WorldView): WorldView {
  const view = readsOf(state)
  return Object.assign(view, { own: own ?? view })
}

/** Every call reads the current state, so one view serves all changes. */
function readsOf(state: State): Omit<WorldView, 'own'> {
  const { teams, challenges } = state
  // A rebuilt world may reuse the versions of the previous one, so the keys include a number per world.
  const worldNumber = (lastWorldNumber += 1)
  const boardKey = boardKeyOf(state, worldNumber)
  return {
    get boardKey() {
      return boardKey()
    },
    solvesKey: (id) => solvesKeyOf(state, worldNumber, id),
    get placesKey() {
      return `${worldNumber}.${state.solves.moves}.${state.standings.recomputed}`
    },
    get settingsKey() {
      return `${worldNumber}.${state.versions.settings}`
    },
    get versions() {
      return state.versions
    },
    get settings() {
      return state.settings
    },
    get startTime() {
      return state.startTime
    },
    get endTime() {
      return state.endTime
    },
    get now() {
      return state.now
    },
    frozenAt: state.frozenAt,
    askedTracks: null,

    team: (id) => rowOf(state, teams.slots.get(id)),
    teams: () => allTeams(state),
    teamCount: () => teams.slots.size,
    findTeamByExtrankId: (extrankId) => rowOf(state, teams.byExtrankId.get(extrankId)),
    findTeamByEmail: (email) => rowOf(state, teams.byEmail.get(email)),

    challenge(id) {
      const entry = challenges.byId.get(id)
      return entry && viewOf(entry)
    },
    challenges: () => listsOf(state).all,
    publicChallenges: () => listsOf(state).open,
    nextReleaseAt: () => state.nextReleaseAt,

    rows: (kind) => sliceOf(state.rows, kind),
    trackOf: (teamId) => teams.tracks.ids[teams.trackOf[teams.slots.get(teamId) ?? -1] ?? -1] ?? null,
    standing: (teamId, tracks) => standingOf(state, teamId, tracks),
    rankedCount: (division, tracks) => rankedSlots(state, { division, tracks }).length,
    ranked({ offset, limit, ...group }) {
      return idsOf(state, rankedSlots(state, group).subarray(offset, offset + limit))
    },
    searchRanked: (text, division, tracks) => idsOf(state, searchSlots(state, text, { division, tracks })),

    solve: (challengeId, teamId) => solveOfTeam(state, challengeId, teamId),
    solvedMarks: (listed, teamId) => solvedMarks(state, listed, teamId),
    hasSolved: (challengeId, teamId) => hasSolved(state, challengeId, teamId),
    solvedAt: (challengeId, teamId) => solvedAt(state, challengeId, teamId),
    solvesOfTeam: (teamId) => solvesOfTeam(state, teamId),
    solvesOfChallenge: (challengeId) => solvesOfChallenge(state, challengeId),
    solveCountOfTeam: (teamId) => solveCountOfTeam(state, teamId),

    dynamicScores: (teamId) => dynamicScoresOf(state, teamId),
    dynamicScore: (challengeId, teamId) => dynamicScoreOf(state, challengeId, teamId),
    scoresOfChallenge: (challengeId) => scoresOfChallenge(state, challengeId),
    feedScoresOfTeam: (teamId) => feedScoresOfTeam(state, teamId),
    graph: (teamIds, sampleMs) => graphOf(state, teamIds, sampleMs),
    scoresAt: (teamIds, past) => scoresAt(state, teamIds, past),
    ranksAt: (time, sampleMs, tracks) => ranksAt(state, { times: [time], sampleMs }, tracks),

    teamVersion: (teamId) => versionOf(state, teamId),
  }
}

/** Every read compares the key with that of its cache, and the same text is compared by its address. */
function boardKeyOf(state: State, worldNumber: number): () => string {
  let key = { board: -1, list: -1, text: '' }
  return () => {
    const { board, challenges: list } = state.versions
    if (key.board !== board || key.list !== list)
      key = { board, list, text: `${worldNumber}.${board}.${list}` }
    return key.text
  }
}

/** Rows of solves without ranks show the current ones of the team, which change with the board. */
function solvesKeyOf(state: State, worldNumber: number, challengeId: string): string {
  const { versions, challenges } = state
  const entry = challenges.byId.get(challengeId)
  const board = entry && areRanked(state, entry) ? '' : versions.board
  return `${worldNumber}.${entry?.solvesVersion ?? 0}.${versions.teams}.${board}`
}

function* allTeams({ teams }: State): Iterable<TeamRow> {
  for (const row of teams.rows) if (row) yield row
}

function versionOf({ teams }: State, teamId: string): number {
  const slot = teams.slots.get(teamId)
  return slot === undefined ? 0 : (teams.versions[slot] ?? 0)
}

function rowOf({ teams }: State, slot: number | undefined): TeamRow | undefined {
  return slot === undefined ? undefined : teams.rows[slot]
}

function idsOf({ teams }: State, slots: Iterable<number>): string[] {
  return Array.from(slots, (slot) => teams.rows[slot]?.id ?? '')
}

function viewOf(entry: Entry): Challenge {
  entry.view ??= {
    ...entry.row,
    isPublic: entry.isPublic,
    points: entry.points,
    solveCount: entry.shownCount,
    released: entry.released,
  }
  return entry.view
}

function listsOf({ challenges }: State): {
  readonly all: readonly Challenge[]
  readonly open: readonly Challenge[]
} {
  if (!challenges.lists) {
    const all = challenges.sorted.map(viewOf)
    challenges.lists = { all, open: all.filter(({ isPublic }) => isPublic) }
  }
  return challenges.lists
}
