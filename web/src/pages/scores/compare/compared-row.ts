import type { ProfileV2 } from '@pennant/contract/teams.ts'
import type { z } from 'zod'

export type ComparedTeam = { readonly id: string } & Pick<
  z.output<typeof ProfileV2>,
  'name' | 'avatarUrl' | 'globalPlace' | 'score' | 'solves' | 'dynamicScores'
>

export interface ComparedCell {
  readonly isSolved: boolean
  /** Time of the solve; null if there is none, as for points that are pushed. */
  readonly at: number | null
  /** Pushed points. */
  readonly points: number | null
  /** Solved before all others that are compared. */
  readonly isFirst: boolean
}

/** What each team has on a challenge, in the order of the teams. */
export function comparedRow(
  { id }: { readonly id: string },
  teams: readonly Pick<ComparedTeam, 'solves' | 'dynamicScores'>[],
): ComparedCell[] {
  const cells = teams.map(({ solves, dynamicScores }) => {
    const at = solves.find((solve) => solve.id === id)?.createdAt ?? null
    const points = dynamicScores.find((score) => score.id === id)?.points ?? null
    return { at, points, isSolved: at !== null || points !== null }
  })
  const first = Math.min(...cells.map(({ at }) => at ?? Infinity))
  const isContested = cells.filter(({ at }) => at !== null).length > 1
  return cells.map((cell) => ({ ...cell, isFirst: isContested && cell.at === first }))
}

/** A shared comparison has at most this many teams. */
export const MAX_COMPARED = 5

const ID = /^[\w-]{1,64}$/

/** The team ids of an address: `a,b,c`. Whatever cannot be an id, and repeated ones, are left out. */
export function comparedIds(value: string | null): string[] {
  const ids = (value ?? '').split(',').filter((id) => ID.test(id))
  return [...new Set(ids)].slice(0, MAX_COMPARED)
}
