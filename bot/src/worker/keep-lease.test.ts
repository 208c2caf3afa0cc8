import { expect, test, vi } from 'vitest'
import { keepLog } from '../../../server/test/log.ts'
import { keepLease } from './keep-lease.ts'
import type { Job } from './service.ts'

const job: Job = {
  id: 'j',
  challengeId: 'c',
  configRevision: 'r',
  userId: 't',
  submittedAt: '',
  flag: '',
  flags: [],
  inputs: {},
  instancerInstances: [],
  lease: { token: 'x', milliseconds: 300 },
}

async function keepFor(ms: number, renew: () => Promise<boolean>, kept: Job = job) {
  vi.useFakeTimers()
  try {
    let renewals = 0
    const counting = () => ((renewals += 1), renew())
    const service = { pull: vi.fn(), readSource: vi.fn(), finish: vi.fn(), renew: counting }
    const lease = keepLease(kept, { service, log: keepLog().log })
    await vi.advanceTimersByTimeAsync(ms)
    const isLost = lease.lost.aborted
    lease.release()
    expect(vi.getTimerCount()).toBe(0)
    return { isLost, renewals }
  } finally {
    vi.useRealTimers()
  }
}

test('a lease that is renewed is kept', async () => {
  expect(await keepFor(2_000, async () => true)).toEqual({ isLost: false, renewals: 20 })
})

test('a job that is another’s by now is given up at once', async () => {
  expect(await keepFor(100, async () => false)).toMatchObject({ isLost: true })
})

test('a lease that cannot be renewed is given up when it ends, not before', async () => {
  const renew = async (): Promise<boolean> => {
    throw new Error('no way')
  }
  expect(await keepFor(299, renew)).toMatchObject({ isLost: false })
  expect(await keepFor(300, renew)).toMatchObject({ isLost: true })
})

test('a service without leases is not asked to renew one', async () => {
  const { lease: _, ...without } = job
  expect(await keepFor(10_000, async () => false, without)).toEqual({ isLost: false, renewals: 0 })
})
