import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { asCommand, currentOrigin, withOrigin } from './action-origin.ts'

const origin = (route: string) => ({ route, requestId: null })
const routeNow = () => currentOrigin()?.route ?? null

test('work sees its own origin, whatever else runs', async () => {
  const work = (route: string, turns: number) =>
    withOrigin(origin(route), async () => {
      for (let turn = 0; turn < turns; turn += 1) {
        expect(routeNow()).toBe(route)
        await setImmediate()
      }
      return routeNow()
    })
  expect(await Promise.all([work('a', 1), work('b', 5), work('c', 3)])).toEqual(['a', 'b', 'c'])
  expect(withOrigin(origin('d'), routeNow)).toBe('d')
  expect(routeNow()).toBeNull()
})

test('a failure ends the work too', async () => {
  const fail = () => {
    throw new Error('failed')
  }
  expect(() => withOrigin(origin('a'), fail)).toThrow('failed')
  await expect(withOrigin(origin('b'), async () => fail())).rejects.toThrow('failed')
  expect(routeNow()).toBeNull()
})

test('the storage is off while no work runs, so that it costs nothing', async () => {
  let later: Promise<string | null> | null = null
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await withOrigin(origin('a'), async () => {
    later = released.then(routeNow)
  })
  await setImmediate()
  release()
  expect(await later).toBeNull()
})

test('the origin of a command is that of everything in its process without an own one', async () => {
  await asCommand(origin('pennant admin create'), async () => {
    await setImmediate()
    expect(routeNow()).toBe('pennant admin create')
    expect(withOrigin(origin('a'), routeNow)).toBe('a')
  })
  expect(routeNow()).toBeNull()
})
