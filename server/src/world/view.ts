import { viewOf } from './challenges.ts'
import { graphOf } from './graph.ts'
import type { Challenge, TeamRow, WorldView } from './model.ts'
import { scoresOfChallenge } from './score-ranking.ts'
import { dynamicScoreOf, dynamicScoresOf, feedScoresOfTeam, standingOf } from './score-reads.ts'
import { idsOf, rankedSlots, rowOf, searchSlots } from './search.ts'
import { hasSolved, solveCountOfTeam, solveOfTeam, solvesOfChallenge, solvesOfTeam } from './solve-reads.ts'
import type { State } from './state.ts'

/** Reads the world as it is at each call. */
export function createView(state: State): WorldView {
  const { teams, challenges } = state
  return {
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

    standing: (teamId) => standingOf(state, teamId),
    rankedCount: (division) => rankedSlots(state, division).length,
    ranked({ division, offset, limit }) {
      return idsOf(state, rankedSlots(state, division).subarray(offset, offset + limit))
    },
    searchRanked: (text, division) => idsOf(state, searchSlots(state, text, division)),

    solve: (challengeId, teamId) => solveOfTeam(state, challengeId, teamId),
    hasSolved: (challengeId, teamId) => hasSolved(state, challengeId, teamId),
    solvesOfTeam: (teamId) => solvesOfTeam(state, teamId),
    solvesOfChallenge: (challengeId) => solvesOfChallenge(state, challengeId),
    solveCountOfTeam: (teamId) => solveCountOfTeam(state, teamId),

    dynamicScores: (teamId) => dynamicScoresOf(state, teamId),
    dynamicScore: (challengeId, teamId) => dynamicScoreOf(state, challengeId, teamId),
    scoresOfChallenge: (challengeId) => scoresOfChallenge(state, challengeId),
    feedScoresOfTeam: (teamId) => feedScoresOfTeam(state, teamId),
    graph: (teamIds, sampleMs) => graphOf(state, teamIds, sampleMs),

    teamVersion(teamId) {
      const slot = teams.slots.get(teamId)
      return slot === undefined ? 0 : (teams.versions[slot] ?? 0)
    },
  }
}

function* allTeams({ teams }: State): Iterable<TeamRow> {
  for (const row of teams.rows) if (row) yield row
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
