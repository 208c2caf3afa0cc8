import { expect, test, vi } from 'vitest'
import { recordLog } from '../../../server/test/log.ts'
import { jobOf } from '../../test/jobs.ts'
import { keepLease } from './keep-lease.ts'
import type { Job } from './service.ts'

const job = jobOf({ lease: { token: 'x', milliseconds: 300 } })

async function leaseFor(ms: number, renew: () => Promise<boolean>, kept: Job = job) {
  vi.useFakeTimers()
  try {
    let renewals = 0
    const counting = () => ((renewals += 1), renew())
    const service = { pull: vi.fn(), readSource: vi.fn(), finish: vi.fn(), renew: counting }
    const lease = keepLease(kept, { service, log: recordLog().log })
    await vi.advanceTimersByTimeAsync(ms)
    const isLost = lease.lost.aborted
    lease.release()
    expect(vi.getTimerCount()).toBe(0)
    return { isLost, renewals }
  } finally {
    vi.useRealTimers()
  }
}

test('keeps a lease that is renewed', async () => {
  expect(await leaseFor(2_000, async () => true)).toEqual({ isLost: false, renewals: 20 })
})

test('gives up a job immediately if another worker has it', async () => {
  expect(await leaseFor(100, async () => false)).toMatchObject({ isLost: true })
})

test('gives up a lease that cannot be renewed when it expires, not before', async () => {
  const renew = async (): Promise<boolean> => {
    throw new Error('no way')
  }
  expect(await leaseFor(299, renew)).toMatchObject({ isLost: false })
  expect(await leaseFor(300, renew)).toMatchObject({ isLost: true })
})

test('does not renew leases at a server without leases', async () => {
  const { lease: _, ...without } = job
  expect(await leaseFor(10_000, async () => false, without)).toEqual({ isLost: false, renewals: 0 })
})
