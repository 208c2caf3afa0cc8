import { LRUCache } from 'lru-cache'
import { rowsUntil } from '../kept-rows.ts'
import type { Change } from '../model.ts'
import { createScoreRows } from '../score-rows.ts'
import { createStandings, recomputeStandings } from '../standings.ts'
import type { Challenges, Entry, GraphCache, Solves, State, Teams } from '../state.ts'
import { countUntil } from '../values.ts'
import { feedUntil } from './feed.ts'
import { loadScoreRows } from './fold-rows.ts'

// The state that participants see while the standings are frozen: docs/decisions/0041-freeze-standings-with-a-second-world.md

/** Graph lines kept: up to 250,000 points of about 32 bytes, which is 8 MB or several pages of a long event. */
const LINE_CACHE = { max: 2000, maxSize: 250_000 }

export function createGraphCache(): GraphCache {
  return { plan: null, past: null, lines: new LRUCache(LINE_CACHE) }
}

/**
 * A copy without solves, pushed scores and other scoring rows after a time. Depends only on the rows, so every process gets the
 * same. Copies whole columns: 400,000 solves take a few milliseconds.
 */
export function stateUntil(state: State, until: number): State {
  const solves = copySolves(state.solves)
  const past: State = {
    ...state,
    frozenAt: until,
    teams: copyTeams(state.teams),
    challenges: copyChallenges(state, solves, until),
    solves,
    rows: rowsUntil(state.rows, until),
    scoreRows: createScoreRows(),
    standings: createStandings(),
    graph: createGraphCache(),
  }
  loadScoreRows(past)
  recomputeStandings(past)
  return past
}

/** What a change means for a state without what is later than a time. A feed as a whole needs a new copy of the state. */
export function changeUntil(change: Change, until: number): Change {
  if (change.kind === 'pushes') return { ...change, events: change.events.filter(({ at }) => at <= until) }
  if (change.kind === 'rows')
    return { ...change, rows: change.rows.filter((row) => change.of.isIncludedAt?.(row, until) ?? true) }
  if (change.kind !== 'solves') return change
  const later = change.rows.filter(({ createdAt }) => createdAt > until)
  if (later.length === 0) return change
  // A solve that an organiser removed may be made again later.
  const rows = change.rows.filter(({ createdAt }) => createdAt <= until)
  return { ...change, rows, removed: [...change.removed, ...later] }
}

function copyTeams(teams: Teams): Teams {
  return {
    slots: new Map(teams.slots),
    rows: [...teams.rows],
    divisionOf: [...teams.divisionOf],
    divisions: new Map(teams.divisions),
    tracks: teams.tracks,
    trackOf: [...teams.trackOf],
    searchNames: [...teams.searchNames],
    versions: [...teams.versions],
    byEmail: new Map(teams.byEmail),
    byExtrankId: new Map(teams.byExtrankId),
    free: [...teams.free],
  }
}

function copySolves({ length, free, moves, ...columns }: Solves): Solves {
  const { team, at, place, ids, globalRank, divisionRank, assisted } = columns
  return {
    length,
    team: team.slice(),
    at: at.slice(),
    place: place.slice(),
    ids: ids.slice(),
    globalRank: globalRank.slice(),
    divisionRank: divisionRank.slice(),
    assisted: assisted.slice(),
    free: [...free],
    moves,
  }
}

/** Slots of later solves become free in the copied columns. */
function copyChallenges(state: State, solves: Solves, until: number): Challenges {
  const byId = new Map<string, Entry>()
  for (const [id, entry] of state.challenges.byId) {
    const solvesLength = countUntil(state, entry, until)
    byId.set(id, {
      ...entry,
      solves: entry.solves.slice(0, solvesLength),
      solvesLength,
      isRanked: null,
      priced: null,
      solveOf: entry.solveOf.map((stored) => {
        if (stored === 0 || (solves.at[stored - 1] as number) <= until) return stored
        solves.free.push(stored - 1)
        return 0
      }),
      feed: feedUntil(entry.feed, until),
      view: null,
      tally: null,
      steps: null,
      ranking: null,
    })
  }
  const sorted = state.challenges.sorted.flatMap(({ row }) => byId.get(row.id) ?? [])
  return { byId, sorted, lists: null, listed: null }
}
