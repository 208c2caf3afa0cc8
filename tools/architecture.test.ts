import { expect, test } from 'vitest'
import {
  codeOf,
  featureOf,
  filesUnder,
  importsOf,
  layerOf,
  ringIn,
  textOf,
  type Graph,
} from './source-graph.ts'

/** What each layer may import of ours, type-only imports included. A folder that is not named here is refused. */
const MAY_IMPORT: Graph = {
  contract: [],
  web: ['contract'],
  bot: ['contract'],
  lib: [],
  db: ['lib'],
  kv: ['lib', 'db'],
  world: ['contract', 'lib', 'db'],
  http: ['contract', 'lib'],
  providers: ['contract', 'lib'],
  metrics: ['contract', 'lib'],
  config: ['contract', 'lib', 'providers'],
  features: ['contract', 'lib', 'db', 'world', 'http', 'providers'],
  worker: ['contract', 'lib', 'db', 'world', 'providers', 'features'],
  wiring: 'contract lib db kv world http providers metrics config features worker'.split(' '),
  'app.ts': 'contract lib db kv world http providers metrics config features worker wiring'.split(' '),
  cli: 'contract lib db kv world providers config features app.ts'.split(' '),
  'main.ts': 'contract lib db kv config cli app.ts'.split(' '),
}

/** Only these files of the world know the database. */
const WORLD_EDGES = /\/(load|read-changes|follower)\.ts$/
const CLOCK = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/
const CHANCE = /\bMath\.random\b|\brandom(?:Bytes|UUID|Int)\b|\bset(?:Timeout|Interval)\b/

const files = ['contract/src', 'server/src', 'server/migrations', 'web/src', 'bot/src'].flatMap(filesUnder)
const sources = files.filter((path) => /(?<!\.test)\.tsx?$/.test(path))
const imports = sources.flatMap(importsOf)

for (const [layer, allowed] of Object.entries(MAY_IMPORT)) {
  test(`${layer} imports ${allowed.join(', ') || 'nothing'} of ours`, () => {
    const across = imports.filter(({ from, to }) => layerOf(from) === layer && /^\w+\/src\//.test(to))
    expect(across.filter(({ to }) => ![layer, ...allowed].includes(layerOf(to)))).toEqual([])
  })
}

test('every folder has its place among the layers, and the layers form no ring', () => {
  expect(sources.filter((path) => !(layerOf(path) in MAY_IMPORT))).toEqual([])
  expect(ringIn(MAY_IMPORT)).toBeNull()
})

test('features form no ring, and none uses the routes or views of another', () => {
  const graph: Record<string, string[]> = {}
  for (const { from, to } of imports) {
    const [here, there] = [featureOf(from), featureOf(to)]
    if (here === null || there === null || here === there) continue
    expect(to, from).not.toMatch(/\/(routes|views)\.ts$/)
    ;(graph[here] ??= []).push(there)
  }
  expect(ringIn(graph)).toBeNull()
})

test('the world is pure but for its edges: contract and lib alone, no package, no clock, no chance', () => {
  const pure = sources.filter((path) => layerOf(path) === 'world' && !WORLD_EDGES.test(path))
  const strays = pure
    .flatMap(importsOf)
    .filter(({ to }) => !/^(contract|server)\/src\//.test(to) || layerOf(to) === 'db')
  expect(strays).toEqual([])
  expect(pure.filter((path) => CLOCK.test(codeOf(path)) || CHANCE.test(codeOf(path)))).toEqual([])
})

test('rules decide without a database, HTTP, a clock or chance', () => {
  const rules = sources.filter((path) => path.endsWith('/rules.ts'))
  const strays = rules
    .flatMap(importsOf)
    .filter(({ to }) => /^server\/src\/(db|http)\/|\/(store|routes|views)\.ts$/.test(to))
  expect(strays).toEqual([])
  expect(rules.filter((path) => CLOCK.test(codeOf(path)) || CHANCE.test(codeOf(path)))).toEqual([])
})

test('features and the worker take the time from their deps', () => {
  const timed = sources.filter((path) => ['features', 'worker'].includes(layerOf(path)))
  expect(timed.filter((path) => CLOCK.test(codeOf(path)))).toEqual([])
})

// Of TypeScript the linter says the same; this one sees style sheets and SQL too.
test('no file is over 400 lines', () => {
  expect(files.filter((path) => textOf(path).split('\n').length > 401)).toEqual([])
})
