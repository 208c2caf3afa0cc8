import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  codeOf,
  featureOf,
  filesUnder,
  importsOf,
  layerOf,
  cycleIn,
  textOf,
  type Graph,
} from './source-graph.ts'

/**
 * Which layers each layer may import, type-only imports included. Every folder must be listed; an allowance that
 * nothing uses fails too.
 */
const MAY_IMPORT: Graph = {
  contract: [],
  web: ['contract'],
  bot: ['contract'],
  lib: [],
  play: ['contract', 'lib'],
  db: ['lib'],
  kv: ['lib', 'db'],
  world: ['lib', 'db'],
  http: ['contract', 'lib'],
  providers: ['contract', 'lib'],
  metrics: ['lib'],
  'ops/backup': ['lib', 'db', 'providers'],
  'ops/verify': ['lib'],
  config: ['contract', 'lib', 'providers'],
  'ops/import': ['contract', 'lib', 'db', 'world', 'http', 'providers', 'features', 'ops/verify'],
  'ops/diagnosis': ['contract', 'lib', 'db', 'world', 'http', 'providers', 'config', 'features'],
  features: ['contract', 'lib', 'db', 'world', 'http', 'providers', 'play'],
  'ops/demo': ['contract', 'lib', 'db', 'features'],
  'ops/challenges-as-code': ['contract', 'lib', 'providers', 'features'],
  worker: ['contract', 'lib', 'db', 'world', 'features'],
  tracing: ['contract', 'lib', 'db', 'worker'],
  wiring:
    'contract lib db kv world http providers metrics ops/backup config ops/diagnosis features ops/import worker tracing'.split(
      ' ',
    ),
  'app.ts': ['lib', 'db', 'kv', 'world', 'http', 'config', 'features', 'worker', 'tracing', 'wiring'],
  // Black-box: it only uses the server's contract.
  'ops/selftest': ['contract', 'lib'],
  cli: 'contract lib db kv config play features ops/backup ops/challenges-as-code ops/demo ops/diagnosis ops/import ops/selftest ops/verify wiring app.ts'.split(
    ' ',
  ),
  'main.ts': ['cli'],
  'child.ts': ['lib', 'features', 'ops/import'],
}

/** Which wings each wing of the features imports: contest at the bottom, organisers at the top. */
const WINGS: Graph = {
  contest: [],
  site: ['contest'],
  board: ['contest'],
  news: ['contest'],
  people: ['contest', 'site'],
  live: ['board', 'contest', 'news', 'people'],
  engines: ['contest'],
  organisers: ['contest', 'engines', 'people', 'site'],
}

/** The only files of the world that code outside of it may import: the interface, SQL for rows, the follower. */
const WORLD_ENTRIES = ['model.ts', 'reads.ts', 'row-kind.ts', 'rows.ts', 'sync/follower.ts'].map(
  (name) => `server/src/world/${name}`,
)
/** The one file of each folder of the world that files outside the folder may import. */
const WORLD_GROUPS: Readonly<Record<string, string>> = {
  fold: 'world.ts',
  graph: 'graph.ts',
  sync: 'follower.ts',
  view: 'view.ts',
}
/** The same within `web/src`. Files at its root are the entry, the site map, addresses and pure helpers. */
const WEB_MAY_IMPORT: Graph = {
  state: [],
  text: ['state'],
  ui: ['text'],
  api: ['state'],
  layout: ['api', 'state', 'text', 'ui'],
  account: ['api', 'layout', 'state', 'text', 'ui'],
  challenge: ['account', 'api', 'layout', 'state', 'text', 'ui'],
  organisers: ['account', 'api', 'layout', 'state', 'text', 'ui'],
  pages: ['account', 'api', 'challenge', 'layout', 'organisers', 'state', 'text', 'ui'],
}
/** Files at the root of `web/src` that layers may import. */
const WEB_SHARED = ['fnv1a.ts', 'paths.ts', 'screen-address.ts']

/** The only files of the world that may access the database. */
const WORLD_DATABASE = /\/world\/(rows?(-kind)?\.ts$|sync\/)/
const CLOCK = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/
const CHANCE = /\bMath\.random\b|\brandom(?:Bytes|UUID|Int)\b|\bset(?:Timeout|Interval)\b/
/** A constant of a module that is a number or a text, or computed from such constants, with a name in camel case. */
const LITERAL_IN_CAMEL_CASE =
  /^(?:export )?const ([a-z]\w*) = (?:-?\d[\d_.]*|'[^']*'|[\dA-Z_]+(?: [*+] [\dA-Z_]+)+)$/gm

/** `ui` for `web/src/ui/form.ts`; the file's name for files at the root of `web/src`. */
const webLayerOf = (path: string) => path.split('/')[2] ?? ''

const files = ['contract/src', 'server/src', 'server/migrations', 'web/src', 'bot/src'].flatMap(filesUnder)
const sources = files.filter((path) => /(?<!\.test)\.tsx?$/.test(path))
const imports = sources.flatMap(importsOf)

const isRows = (path: string) => /^server\/src\/features\/.*\/rows\.ts$/.test(path)

for (const [layer, allowed] of Object.entries(MAY_IMPORT)) {
  test(`${layer} imports ${allowed.join(', ') || 'nothing'} from this repository`, () => {
    const across = imports.filter(({ from, to }) => layerOf(from) === layer && /^\w+\/src\//.test(to))
    expect(across.filter(({ to }) => ![layer, ...allowed].includes(layerOf(to)))).toEqual([])
    const used = new Set(across.map(({ to }) => layerOf(to)))
    expect(allowed.filter((other) => !used.has(other))).toEqual([])
  })
}

test('the architecture page has the same table', () => {
  const rows = textOf('docs/architecture.md').matchAll(/^\| `([\w./-]+)` +\|[^|]*\| *([^|]*?) *\|$/gm)
  const documented = Array.from(rows, ([, part, allowed = '']) => [part, allowed.split(', ').filter(Boolean)])
  expect(Object.fromEntries(documented)).toEqual(MAY_IMPORT)
})

test('decisions are numbered without gaps', () => {
  const numbers = readdirSync('docs/decisions').flatMap((name) => /^\d{4}(?=-)/.exec(name) ?? [])
  const expected = numbers.map((_, at) => String(at + 1).padStart(4, '0'))
  expect(numbers.toSorted()).toEqual(expected)
})

test('every folder belongs to a layer, and the layers form no cycle', () => {
  expect(sources.filter((path) => !(layerOf(path) in MAY_IMPORT))).toEqual([])
  expect(cycleIn(MAY_IMPORT)).toBeNull()
})

for (const [layer, allowed] of Object.entries(WEB_MAY_IMPORT)) {
  test(`web/src/${layer} imports ${allowed.join(', ') || 'no other layer'}`, () => {
    const across = imports.filter(({ from, to }) => webLayerOf(from) === layer && to.startsWith('web/src/'))
    const used = new Set(across.map(({ to }) => webLayerOf(to)).filter((other) => other !== layer))
    expect([...used].filter((other) => !WEB_SHARED.includes(other)).toSorted()).toEqual(allowed)
  })
}

test('every folder of web/src belongs to a layer, and pages import no other page', () => {
  const layers = new Set(sources.filter((path) => /^web\/src\/.*\//.test(path)).map(webLayerOf))
  expect([...layers].toSorted()).toEqual(Object.keys(WEB_MAY_IMPORT).toSorted())
  const pageOf = (path: string) => /^web\/src\/pages\/([^/]+)\//.exec(path)?.[1]
  const across = imports.filter(({ from, to }) => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to))
  expect(across).toEqual([])
})

test('features form no cycle, and none uses the routes or views of another', () => {
  const graph: Record<string, string[]> = {}
  for (const { from, to } of imports) {
    const [here, there] = [featureOf(from), featureOf(to)]
    if (here === null || there === null || here.name === there.name || isRows(to)) continue
    expect(to, from).not.toMatch(/[/-](routes|views)\.ts$/)
    ;(graph[here.name] ??= []).push(there.name)
  }
  expect(cycleIn(graph)).toBeNull()
})

test('each wing of the features imports only the wings below it', () => {
  const used: Record<string, string[]> = Object.fromEntries(Object.keys(WINGS).map((wing) => [wing, []]))
  for (const { from, to } of imports) {
    const [here, there] = [featureOf(from)?.wing, featureOf(to)?.wing]
    if (here !== undefined && there !== undefined && here !== there && !isRows(to)) used[here]?.push(there)
  }
  for (const [wing, others] of Object.entries(used))
    expect([...new Set(others)].toSorted(), wing).toEqual(WINGS[wing])
  expect(cycleIn(WINGS)).toBeNull()
  const wings = new Set(sources.flatMap((path) => featureOf(path)?.wing ?? []))
  expect([...wings].toSorted()).toEqual(Object.keys(WINGS).toSorted())
})

test('kinds of rows import no feature, so that every feature may import them', () => {
  const across = imports.filter(({ from, to }) => isRows(from) && featureOf(to) !== null)
  expect(across.filter(({ to }) => !isRows(to))).toEqual([])
})

/**
 * In how many product files each kind of row may be named, outside of the folders and files with its name: the numbers reached. The aim
 * is 12 (docs/decisions/0044-declare-kinds-of-rows-as-values.md). Lower a number with each file that goes.
 */
const KIND_NAMES = [
  { name: 'announcement', most: 33 },
  { name: 'wave', most: 26 },
  { name: 'hint', most: 35 },
  { name: 'adjustment', most: 17 },
]
/** Words that contain the name of a kind and mean something else: options of zlib, of keyboards and of popovers, and a scope. */
const OTHER_WORDS = /SIZE_HINT|enterKeyHint|popover="hint"|interval|announcements:write/gi
/** Catalogues of texts, the lists of scopes, of personal data and of a team's activity, and the example event, name everything. */
const TEXTS =
  /^web\/src\/text\/|texts[^/]*\.ts$|src\/scopes\.ts$|personal-data\/declared|persons\/activity\.ts$|\/ops\/demo\//

test.each(KIND_NAMES)('$name is named in at most $most files of others', ({ name, most }) => {
  // `hints/`, `hint-refunds.ts`, `admin-waves/`
  const owns = new RegExp(`[/-]${name}s?[/.-]`)
  const others = sources.filter((path) => !owns.test(path) && !TEXTS.test(path))
  const codeIn = (path: string) =>
    textOf(path)
      .replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
      .replace(OTHER_WORDS, '')
  const named = others.filter((path) => new RegExp(name, 'i').test(codeIn(path)))
  expect(named.length, named.join('\n')).toBeLessThanOrEqual(most)
})

test('a folder `internal` is used only by the folder that contains it', () => {
  const intruders = imports.filter(({ from, to }) => {
    const [owner, inside] = to.split('/internal/')
    return inside !== undefined && !from.startsWith(`${owner}/`)
  })
  expect(intruders).toEqual([])
})

test('each instance engine has one public file, named like its folder', () => {
  const engines = sources.flatMap((path) => {
    const [, engine, rest = ''] = /\/providers\/instancer\/([^/]+)\/(.+)$/.exec(path) ?? []
    return engine !== undefined && !rest.startsWith('internal/') ? [`${engine}/${rest}`] : []
  })
  expect(engines.toSorted()).toEqual(['docker/docker.ts', 'kubernetes/kubernetes.ts'])
})

// The linter's `import/no-cycle` ignores type-only imports.
test('files do not import each other in cycles, including type imports', () => {
  const graph: Record<string, string[]> = {}
  for (const { from, to } of imports) (graph[from] ??= []).push(to)
  expect(cycleIn(graph)).toBeNull()
})

test('other code imports only the entry files of the world', () => {
  const outside = imports.filter(({ from, to }) => layerOf(from) !== 'world' && layerOf(to) === 'world')
  expect(outside.filter(({ to }) => !WORLD_ENTRIES.includes(to))).toEqual([])
})

test('each folder of the world is imported through its entry file', () => {
  const groupOf = (path: string) => /^server\/src\/world\/(\w+)\//.exec(path)?.[1]
  const groups = new Set(sources.map(groupOf).filter((group) => group !== undefined))
  expect([...groups].toSorted()).toEqual(Object.keys(WORLD_GROUPS))
  const across = imports.filter(({ from, to }) => groupOf(to) !== undefined && groupOf(from) !== groupOf(to))
  expect(across.filter(({ to }) => !to.endsWith(`/${WORLD_GROUPS[groupOf(to) ?? '']}`))).toEqual([])
})

test('the world, except for sync and rows, uses no database, clock or randomness', () => {
  const pure = sources.filter((path) => layerOf(path) === 'world' && !WORLD_DATABASE.test(path))
  const strays = pure
    .flatMap(importsOf)
    // The only package: without a TTL, lru-cache does not read the clock.
    .filter(({ to }) => (!/^(contract|server)\/src\//.test(to) && to !== 'lru-cache') || layerOf(to) === 'db')
  expect(strays).toEqual([])
  expect(pure.filter((path) => CLOCK.test(codeOf(path)) || CHANCE.test(codeOf(path)))).toEqual([])
})

test('rules do not use a database, HTTP, a clock or randomness', () => {
  const rules = sources.filter((path) => /[/-]rules\.ts$/.test(path))
  const strays = rules
    .flatMap(importsOf)
    .filter(({ to }) => /^server\/src\/(db|http)\/|[/-](store|routes|views)\.ts$/.test(to))
  expect(strays).toEqual([])
  expect(rules.filter((path) => CLOCK.test(codeOf(path)) || CHANCE.test(codeOf(path)))).toEqual([])
})

test('features and the worker get the time from their dependencies', () => {
  const timed = sources.filter((path) => ['features', 'worker'].includes(layerOf(path)))
  expect(timed.filter((path) => CLOCK.test(codeOf(path)))).toEqual([])
})

test('numbers and texts of a module have names in capitals', () => {
  const named = (path: string) =>
    [...textOf(path).matchAll(LITERAL_IN_CAMEL_CASE)].map(([, name]) => `${path}: ${name}`)
  expect(sources.flatMap(named)).toEqual([])
})

// The linter checks TypeScript too; this test also covers style sheets and SQL.
test('no file has more than 400 lines', () => {
  expect(files.filter((path) => textOf(path).split('\n').length > 401)).toEqual([])
})
