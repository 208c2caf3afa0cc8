import { describe, expect, test } from 'vitest'
import { ChallengeV1, ChallengeV2 } from '@pennant/contract/challenges.ts'
import type { Challenge } from '../../../world/model.ts'
import { challengeV1, challengeV2 } from './views.ts'

const challenge: Challenge = {
  id: 'web-1',
  name: 'Door',
  description: 'Open it. ✓',
  category: 'web',
  author: 'ann',
  flags: [{ provider: 'flags/static', config: { flag: 'flag{secret}' } }],
  files: [
    { name: 'a.zip', url: '/uploads/a.zip', size: 12 },
    { name: 'b.zip', url: '/uploads/b.zip' },
  ],
  pointsMin: 100,
  pointsMax: 500,
  tiebreakEligible: true,
  sortWeight: 2.5,
  hidden: false,
  releaseAt: 5,
  scoringKind: 'decay',
  scoringSecret: 'webhook secret',
  instancerConfig: { timeoutMilliseconds: 60_000, extendable: false, config: { image: 'x' } },
  adminBotConfig: {
    code: 'source',
    inputs: { url: { pattern: '^https', flags: 'i' }, note: { pattern: '.' } },
    revision: 'r',
  },
  tags: ['t'],
  version: 3,
  isPublic: true,
  points: 481,
  released: {},
  solveCount: 2,
}
const able = { instancerEnabled: true, canStopInstance: () => true, adminBotEnabled: true }
const unable = { instancerEnabled: false, canStopInstance: () => false, adminBotEnabled: false }

const shared = {
  id: 'web-1',
  name: 'Door',
  description: 'Open it. ✓',
  category: 'web',
  author: 'ann',
  points: 481,
  solves: 2,
}

describe('a challenge in the list', () => {
  test('has exactly the fields of V1', () => {
    expect(challengeV1(challenge)).toStrictEqual({
      ...shared,
      files: [
        { name: 'a.zip', url: '/uploads/a.zip' },
        { name: 'b.zip', url: '/uploads/b.zip' },
      ],
      sortWeight: 2.5,
    })
    expect(challengeV1({ ...challenge, sortWeight: null })).not.toHaveProperty('sortWeight')
    expect(ChallengeV1.strict().safeParse(challengeV1(challenge)).success).toBe(true)
  })

  test('has exactly the fields of V2, without bounds, flags or sources', () => {
    const view = challengeV2(challenge, able)
    expect(view).toStrictEqual({
      ...shared,
      files: [
        { name: 'a.zip', url: '/uploads/a.zip', size: 12 },
        { name: 'b.zip', url: '/uploads/b.zip', size: null },
      ],
      sortWeight: 2.5,
      instancerLifetime: 60_000,
      instancerExtendable: false,
      instancerStoppable: true,
      instancerActions: [],
      adminBotInputs: { url: { pattern: '^https', flags: 'i' }, note: { pattern: '.' } },
      hasFlag: true,
      scoringKind: 'decay',
      tags: ['t'],
    })
    expect(ChallengeV2.strict().safeParse(view).success).toBe(true)
    expect(JSON.stringify(view)).not.toMatch(/secret|source|image/)
  })

  test('omits an instancer or admin bot that the deployment does not have', () => {
    expect(challengeV2(challenge, unable)).toMatchObject({
      instancerLifetime: null,
      instancerExtendable: false,
      instancerStoppable: false,
      adminBotInputs: null,
    })
  })

  test('has null or false for missing integrations, flags and weight', () => {
    const plain = { ...challenge, instancerConfig: null, adminBotConfig: null, flags: [], sortWeight: null }
    expect(challengeV2(plain, able)).toMatchObject({
      instancerLifetime: null,
      instancerExtendable: true,
      adminBotInputs: null,
      hasFlag: false,
      sortWeight: null,
    })
  })

  test('is reported as decaying unless its points differ per team', () => {
    const kindOf = (scoringKind: Challenge['scoringKind']) =>
      challengeV2({ ...challenge, scoringKind }, able).scoringKind
    expect([kindOf('decay'), kindOf('static'), kindOf('dynamic')]).toEqual(['decay', 'decay', 'dynamic'])
  })

  test('keeps a bot input with any name', () => {
    const inputs = JSON.parse('{"__proto__":{"pattern":"."}}') as object
    const view = challengeV2({ ...challenge, adminBotConfig: { inputs } }, able)
    expect(JSON.stringify(view.adminBotInputs)).toBe('{"__proto__":{"pattern":"."}}')
  })
})
