import { expect, test } from 'vitest'
import { NEW_DRAFT, type AdminChallenge } from './draft.ts'
import { showingOf, treeOf } from './state-of.ts'

const NOW = 1000

function challenge(hidden: boolean, releaseTime: number | null): AdminChallenge {
  const { adminBotCode: _, ...written } = NEW_DRAFT
  const stored = { id: 'a', flag: '', tiebreakEligible: true, sortWeight: null, adminBotConfig: null }
  return { ...written, ...stored, hidden, releaseTime }
}

test('counts the challenges that become visible and those that lose a future release time', () => {
  const chosen = [
    challenge(false, null),
    challenge(false, NOW - 1),
    challenge(true, null),
    challenge(true, NOW - 1),
    challenge(true, NOW + 1),
    challenge(false, NOW + 1),
  ]
  expect(showingOf(chosen, NOW)).toEqual({ shown: 4, early: 2 })
  expect(showingOf([], NOW)).toEqual({ shown: 0, early: 0 })
})

test('categories are in the order that players see', () => {
  const challenges = ['misc', 'crypto', 'zoo', 'web'].map((category) => ({
    ...challenge(false, null),
    category,
  }))
  const tree = treeOf(challenges, { search: '', state: 'all', now: NOW })
  expect(tree.map(({ name }) => name)).toEqual(['web', 'crypto', 'misc', 'zoo'])
})
