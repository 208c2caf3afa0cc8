import { compareCategories } from '../../ui/marks/categories.ts'
import type { AdminChallenge } from './draft.ts'

export type ChallengeState = 'visible' | 'hidden' | 'scheduled' | 'draft'

/** State of a challenge. A draft is hidden and cannot be solved yet. */
export function stateOf(challenge: AdminChallenge, now: number): ChallengeState {
  const { hidden, releaseTime, flags, scoring } = challenge
  if (hidden) return flags.length === 0 && scoring.kind !== 'dynamic' ? 'draft' : 'hidden'
  return releaseTime !== null && releaseTime > now ? 'scheduled' : 'visible'
}

/** Effect of showing these now: how many become visible, and how many lose a future release time. */
export function showingOf(challenges: readonly AdminChallenge[], now: number) {
  const shown = challenges.filter((challenge) => stateOf(challenge, now) !== 'visible')
  const early = challenges.filter(({ releaseTime }) => releaseTime !== null && releaseTime > now)
  return { shown: shown.length, early: early.length }
}

/** Returns the category names in use. */
export function categoriesOf(challenges: readonly AdminChallenge[]): string[] {
  return [...new Set(challenges.map(({ category }) => category))].filter((name) => name !== '')
}

export interface Category {
  readonly name: string
  /** In list order. */
  readonly challenges: readonly AdminChallenge[]
}

/**
 * Groups the challenges, with categories in the players' order. Every search word must match name, id, author
 * or category.
 */
export function treeOf(
  challenges: readonly AdminChallenge[],
  { search, state, now }: { readonly search: string; readonly state: string; readonly now: number },
): Category[] {
  const wanted = search.toLowerCase().split(/\s+/)
  const matches = (challenge: AdminChallenge) => {
    const { id, name, author, category } = challenge
    const all = `${id} ${name} ${author} ${category}`.toLowerCase()
    return (
      wanted.every((word) => all.includes(word)) && (state === 'all' || stateOf(challenge, now) === state)
    )
  }
  const found = challenges.filter(matches)
  const names = [...new Set(found.map(({ category }) => category))].sort(compareCategories)
  return names.map((name) => ({ name, challenges: found.filter(({ category }) => category === name) }))
}
