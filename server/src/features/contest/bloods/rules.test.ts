import { expect, test } from 'vitest'
import type { Blood } from '../../../providers/messages/messages.ts'
import type { WorldView } from '../../../world/model.ts'
import { isAnnounceable } from './rules.ts'

const START = 1_000_000
const NOW = START + 500_000

const blood: Blood = {
  id: 's',
  bloodNumber: 1,
  team: { id: 't', name: 'T' },
  challenge: { id: 'c', name: 'C', category: 'misc' },
  time: START + 100_000,
}

interface Facts {
  readonly challenge?: object | null
  readonly team?: object | null
  readonly hasSolved?: boolean
  readonly takesBloods?: boolean
  readonly time?: number
  readonly now?: number
}

function judge({
  challenge = {},
  team = {},
  hasSolved = true,
  takesBloods = true,
  time = blood.time,
  now = NOW,
}: Facts): boolean {
  const world = {
    startTime: START,
    challenge: () => challenge && { id: 'c', isPublic: true, releaseAt: null, ...challenge },
    team: () => team && { id: 't', banned: false, ...team },
    hasSolved: () => hasSolved,
    trackOf: () => 'agent',
    settings: { tracks: [{ id: 'agent', takesBloods }] },
    publicChallenges: () => [],
  }
  return isAnnounceable(world as unknown as WorldView, { ...blood, time }, now)
}

test.each<[string, Facts, boolean]>([
  ['during the event', {}, true],
  ['in the first moment, by a clock that is a second behind', { time: START - 1_000 }, true],
  ['before the start, sent after it', { time: START - 3_000 }, false],
  ['before the start', { time: START - 3_000, now: START - 2_000 }, false],
  ['before a start that was moved', { now: START - 1 }, false],
  ['of a hidden challenge', { challenge: { isPublic: false } }, false],
  ['of a deleted challenge', { challenge: null }, false],
  ['before the release, sent after it', { challenge: { releaseAt: blood.time + 60_000 } }, false],
  ['after the release', { challenge: { releaseAt: blood.time - 1 } }, true],
  ['of a banned team', { team: { banned: true } }, false],
  ['of a deleted team', { team: null }, false],
  ['of a team whose track takes no first bloods', { takesBloods: false }, false],
  ['that was deleted', { hasSolved: false }, false],
])('a solve %s', (_name, facts, isNews) => {
  expect(judge(facts)).toBe(isNews)
})
