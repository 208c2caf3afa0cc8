import { expect, test } from 'vitest'
import type { EngineView } from '../../engines/instances/watch.ts'
import { countInstances, createEngineReader, engineFindings } from './engines.ts'

const view = (given: Partial<EngineView> = {}): EngineView => ({
  instancer: 'local',
  instances: null,
  capacity: [],
  isUp: true,
  ...given,
})

test('uses the previous result while a check hangs', async () => {
  const views = [view()]
  let isHanging = false
  const readEngines = createEngineReader({
    readViews: () => (isHanging ? new Promise(() => {}) : Promise.resolve(views)),
  })
  expect(await readEngines()).toEqual(views)
  isHanging = true
  expect(await readEngines()).toEqual(views)
})

test('returns nothing before the first result', async () => {
  expect(await createEngineReader({ readViews: () => new Promise(() => {}) })()).toBeNull()
})

test('engines that cannot list are not counted, and alone they do not count as empty', () => {
  const instances = ['running', 'running', 'starting', 'errored', 'stopping'].map((status) => ({ status }))
  const listing = view({ instances: instances as unknown as EngineView['instances'] })
  expect(countInstances([view(), listing])).toEqual({ running: 2, starting: 1, errored: 1 })
  expect(countInstances([view()])).toBeNull()
})

test('names engines and hosts that do not respond', () => {
  const host = (name: string, isUp: boolean) => ({ host: name, used: 0, max: 1, isUp })
  expect(engineFindings([view({ capacity: [host('one', true)] })])).toEqual([])
  const away = [
    view({ capacity: [host('one', true), host('two', false)] }),
    view({ instancer: 'far', isUp: false }),
  ]
  expect(engineFindings(away)).toMatchObject([
    { code: 'instancerUnreachable', text: expect.stringContaining('two of local, far') },
  ])
})
