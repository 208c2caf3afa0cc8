import { readOwnProfileV2, readProfileV2 } from '@pennant/contract/teams.ts'
import { expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { startContest } from '../harness.ts'

// What two replicas of one contest see of each other's changes: docs/reference/scoring.md#effects-of-changes

/** By chance, polling once a second makes three in ten thousand runs see five of fifteen changes this early. */
const EARLY = 5
const EARLY_MS = 50
/** The time between two polls, and half a second for the reads of a busy machine. */
const POLLED_MS = 1_500

/** Milliseconds from a commit on one replica until the other one shows the team, shortest first. */
async function delays(mayUseRedis: boolean, times: number): Promise<number[]> {
  await using first = await startContest({ mayUseRedis })
  await using second = await startContest({ mayUseRedis, beside: first })
  const found: number[] = []
  for (let at = 0; at < times; at++) {
    const { id, token } = await first.team()
    const committedAt = performance.now()
    // The replica that wrote answers the next read with it.
    expect((await first.call(readOwnProfileV2, { token })).kind).toBe('goodUserSelfData')
    await eventually(() => expect(second.world().team(id)).toBeDefined(), 1)
    found.push(performance.now() - committedAt)
    expect((await second.call(readProfileV2, { params: { id } })).kind).toBe('goodUserData')
  }
  return found.toSorted((one, other) => one - other)
}

test('without Redis, a replica shows the change of another one with the next poll', async () => {
  const found = await delays(false, 5)
  expect(found[2]).toBeLessThan(POLLED_MS)
})

test.skipIf(!process.env['PENNANT_TEST_REDIS_URL'])(
  'with Redis, a replica shows the change of another one within 50 ms',
  async () => {
    const found = await delays(true, 15)
    expect(found[EARLY - 1]).toBeLessThan(EARLY_MS)
  },
)
