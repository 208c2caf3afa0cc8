import { expect, test } from 'vitest'
import type { EngineView } from '../instances/watch.ts'
import { countInstances, createGlance, engineFindings } from './engines.ts'

const view = (given: Partial<EngineView> = {}): EngineView => ({
  instancer: 'local',
  instances: null,
  capacity: [],
  isUp: true,
  ...given,
})

test('a look that hangs is not waited for: the one before stands', async () => {
  const views = [view()]
  let isHanging = false
  const glance = createGlance({ look: () => (isHanging ? new Promise(() => {}) : Promise.resolve(views)) })
  expect(await glance()).toEqual(views)
  isHanging = true
  expect(await glance()).toEqual(views)
})

test('without an answer so far there is none', async () => {
  expect(await createGlance({ look: () => new Promise(() => {}) })()).toBeNull()
})

test('engines that cannot list count nothing, and alone they are not taken for empty ones', () => {
  const instances = ['running', 'running', 'starting', 'errored', 'stopping'].map((status) => ({ status }))
  const listing = view({ instances: instances as unknown as EngineView['instances'] })
  expect(countInstances([view(), listing])).toEqual({ running: 2, starting: 1, errored: 1 })
  expect(countInstances([view()])).toBeNull()
})

test('engines and machines that do not answer are named', () => {
  const host = (name: string, isUp: boolean) => ({ host: name, used: 0, max: 1, isUp })
  expect(engineFindings([view({ capacity: [host('one', true)] })])).toEqual([])
  const away = [
    view({ capacity: [host('one', true), host('two', false)] }),
    view({ instancer: 'far', isUp: false }),
  ]
  expect(engineFindings(away)).toMatchObject([
    { code: 'instancerAway', text: expect.stringContaining('two of local, far') },
  ])
})
