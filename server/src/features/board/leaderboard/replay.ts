import { CEREMONY_SOLVES, REPLAY_STEP_MS, type CeremonyTeam, type PastRow } from '@pennant/contract/replay.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import type { PastRanks, TeamSolve } from '../../../world/reads.ts'
import { assistedMark, trackMark } from '../../contest/visibility/tracks.ts'

// The standings of earlier times, by today's settings: docs/reference/leaderboard.md#earlier-standings

/** The first and the last time that can be shown. */
export interface Period {
  readonly from: number
  readonly until: number
}

/** The standings of a time, computed once for all pages of it. */
export type PastAt = (time: number) => PastRanks

/**
 * The latest time whose standings a view may show: nothing is shown of the time after the end or after a freeze. The only place that
 * decides it.
 */
function latestTime(view: WorldView, now: number): number {
  const last = Math.min(view.endTime, view.frozenAt ?? Infinity)
  return now >= last ? last : stepOf(now)
}

function stepOf(time: number): number {
  return Math.floor(time / REPLAY_STEP_MS) * REPLAY_STEP_MS
}

/** Before the start, when only organisers may read it, both are the start. */
export function periodOf(view: WorldView, now: number): Period {
  return { from: view.startTime, until: Math.max(view.startTime, latestTime(view, now)) }
}

/** The time that is shown for a requested one. */
export function shownTime(requested: number, { from, until }: Period): number {
  if (requested >= until) return until
  return Math.max(from, stepOf(requested))
}

/** Ids of the teams in rank order. */
export function rankedThen(view: WorldView, past: PastRanks, division: string | undefined): string[] {
  const ids = [...past.global.keys()]
  return division === undefined ? ids : ids.filter((id) => view.team(id)?.division === division)
}

export function pastRow(
  view: WorldView,
  id: string,
  { past, time }: { readonly past: PastRanks; readonly time: number },
): z.input<typeof PastRow> {
  const team = view.team(id)
  return {
    id,
    name: team?.name ?? '',
    avatarUrl: team?.avatarUrl ?? null,
    countryCode: team?.countryCode ?? null,
    division: team?.division ?? '',
    score: past.scores.get(id) ?? 0,
    solves: countedSolves(view, id, { past, until: time }).length,
    globalPlace: past.global.get(id) ?? 0,
    divisionPlace: past.inDivision.get(id) ?? 0,
    ...trackMark(view, id),
  }
}

/** Solves of public challenges that count, oldest first. */
function countedSolves(
  view: WorldView,
  id: string,
  { past, until }: { readonly past: PastRanks; readonly until: number },
): TeamSolve[] {
  return view
    .solvesOfTeam(id)
    .filter(({ challengeId, createdAt }) => createdAt <= until && past.values.has(challengeId))
}

function valueOf({ values }: PastRanks, { challengeId }: TeamSolve): number {
  return values.get(challengeId) ?? 0
}

interface Ceremony extends Period {
  readonly before: PastRanks
  readonly after: PastRanks
  readonly division: string | undefined
}

/** How a team got from its place before the period to the one after it. */
export function ceremonyTeam(view: WorldView, id: string, ceremony: Ceremony): z.input<typeof CeremonyTeam> {
  const { before, after, from, until, division } = ceremony
  const team = view.team(id)
  const score = before.scores.get(id) ?? 0
  const solves = countedSolves(view, id, { past: after, until })
  const rankIn = (past: PastRanks) => (division === undefined ? past.global : past.inDivision).get(id)
  const base = solves
    .filter(({ createdAt }) => createdAt <= from)
    .reduce((sum, solve) => sum + valueOf(after, solve) - valueOf(before, solve), score)
  return {
    id,
    name: team?.name ?? '',
    avatarUrl: team?.avatarUrl ?? null,
    division: team?.division ?? '',
    ...trackMark(view, id),
    before: { score, rank: rankIn(before) ?? null },
    base,
    after: { score: after.scores.get(id) ?? 0, rank: rankIn(after) ?? 0 },
    solves: solves
      .filter(({ createdAt }) => createdAt > from)
      .slice(-CEREMONY_SOLVES)
      .map((solve) => ({
        challengeId: solve.challengeId,
        at: solve.createdAt,
        points: valueOf(after, solve),
        isFirst: view.solvesOfChallenge(solve.challengeId).bloods()[0]?.teamId === id,
        ...assistedMark(view, solve),
      })),
  }
}
