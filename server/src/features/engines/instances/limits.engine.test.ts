import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database.ts'
import { instancerOn, leftovers, never, orderOf } from '../../../../test/docker-instances.ts'
import { startEngine } from '../../../../test/engine.ts'
import { recordLog } from '../../../../test/log.ts'
import { createInstancers } from '../../../providers/instancer/registry.ts'
import { createLifecycle } from './lifecycle.ts'
import { listSlots } from './slots.ts'

const limits = { maxRunning: 100, maxPerTeam: 3, maxStarting: 8, maxWaiting: 100, maxWaitMs: 60_000 }
const WITH_ENGINE_MS = 300_000

test(
  'a team that starts and stops in quick succession never has more instances than its limit on a real engine',
  async () => {
    await using database = await openTestDatabase()
    await using engine = await startEngine()
    const provider = await instancerOn({ url: engine.url, manager: 'quick' })
    const { log } = recordLog()
    const engines = new Map([['main', provider]])
    const instancer = createInstancers({ engines, defaultName: 'main', log }).find()!
    const { db } = database
    const lifecycle = createLifecycle({ db, now: Date.now, limits, challengeName: (id) => id })
    const orders = Array.from({ length: 8 }, (_, n) =>
      orderOf('team', undefined, { integrationId: `chall-${n}` }),
    )
    const held = async () => (await provider.list!(never)).instances.length
    const calls: Promise<unknown>[] = []
    let most = 0
    for (const order of orders) {
      const started = lifecycle.start({ instancer, challengeId: order.integrationId, order })
      calls.push(started)
      // Sequential requests, as from a script that does not wait until an instance has stopped.
      await Promise.allSettled([started])
      calls.push(lifecycle.stop(instancer, order))
      most = Math.max(most, await held())
    }
    // All requests at once.
    for (const order of orders)
      calls.push(
        lifecycle.start({ instancer, challengeId: order.integrationId, order }),
        lifecycle.stop(instancer, order),
      )
    let isDone = false
    const ended = Promise.allSettled(calls).then(() => (isDone = true))
    while (!isDone) most = Math.max(most, await held())
    await ended
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(limits.maxPerTeam)
    await Promise.allSettled(orders.map((order) => lifecycle.stop(instancer, order)))
    expect(await held()).toBe(0)
    expect(await listSlots(db)).toEqual([])
    expect(await leftovers(engine, 'quick')).toBe(0)
    await provider.close?.()
  },
  WITH_ENGINE_MS,
)
