import { challengeLimits, putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentSchema } from './document.ts'
import { MAX_DOCUMENT_BYTES, MAX_NODES, MAX_TEXT_BYTES, MAX_TOTAL_TEXT_BYTES } from './limits.ts'
import { caseKeyOf, pathProblem } from './paths.ts'
import type { FolderTree } from './folder-tree.ts'
import { readFolders } from './read-folders.ts'
import type { ChallengeValue } from './value.ts'
import { writeFolders } from './write-folders.ts'
import { parseYaml } from './yaml.ts'

/** A folder tree in memory. */
function treeOf(files: Readonly<Record<string, string>>): FolderTree {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
  return {
    sizes: new Map([...contents].map(([path, content]) => [path, content.length])),
    read: async (path) => ({ content: contents.get(path) ?? Buffer.alloc(0) }),
  }
}

const read = (files: Readonly<Record<string, string>>) => readFolders(treeOf(files))

/** Reads one challenge and returns the reasons of its problems. */
async function problemsIn(yaml: string, others: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { problems } = await read({ 'web/shop/challenge.yaml': yaml, ...others })
  return problems.map(({ reason }) => reason)
}

async function write(challenges: readonly ChallengeValue[]): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const file of writeFolders(challenges))
    files[file.path] = 'text' in file ? file.text : file.local
  return files
}

/** Everything that the database stores. */
const text = (maxLength = 40) =>
  fc
    .string({
      unit: fc.oneof(
        fc.constantFrom('\n', ' ', '\r', '\t', '-', ':', '#', '|'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength,
    })
    .filter((value) => !value.includes('\0') && value.isWellFormed())

const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

const config = fc
  .dictionary(
    fc.string({ minLength: 1, maxLength: 10 }).filter((key) => key !== '__proto__' && key !== 'kind'),
    json,
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  .filter((value) => JSON.stringify(value).isWellFormed() && !JSON.stringify(value).includes('\\u'))

const int32 = fc.integer({ min: -2147483648, max: 2147483647 })

const challenge: fc.Arbitrary<ChallengeValue> = fc.record({
  id: text(60).filter((id) => id !== ''),
  name: text(),
  category: text(),
  author: text(),
  tags: fc.array(text(), { maxLength: 3 }),
  description: text(200),
  hidden: fc.boolean(),
  releaseTime: fc.option(fc.integer({ min: FIRST_INSTANT, max: 8_640_000_000_000_000 })),
  points: fc.tuple(int32, int32).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
  scoring: fc.oneof(
    fc.constantFrom({ kind: 'decay' as const }, { kind: 'static' as const }),
    text()
      .filter((secret) => secret !== '')
      .map((secret) => ({ kind: 'dynamic' as const, secret })),
  ),
  tiebreakEligible: fc.option(fc.boolean()),
  sortWeight: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  flags: fc.array(
    fc.record({ provider: fc.constantFrom('flags/static', 'flags/regex', 'other/kind'), config }),
    {
      maxLength: 3,
    },
  ),
  files: fc.array(
    fc.oneof(
      fc.record({ name: text().filter((name) => name !== ''), local: text() }),
      fc.record({ name: text(), url: fc.webUrl(), size: fc.option(fc.nat()) }),
    ),
    { maxLength: 4 },
  ),
  instancer: fc.option(
    fc.record({
      challengeIntegrationId: text(),
      instancer: text(),
      config,
      expose: fc.array(
        fc.record({
          kind: fc.constantFrom('tcp', 'https'),
          hostPrefix: fc.constantFrom('a', 'web-1'),
          containerName: text(),
          containerPort: fc.integer({ min: 1, max: 65535 }),
        }),
        { maxLength: 2 },
      ),
      timeoutMilliseconds: fc.constantFrom(0, 1000, 86_400_000),
      extendable: fc.boolean(),
    }),
  ),
  adminBot: fc.option(text(200)),
})

test('what is written reads as the same challenges, with every file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(challenge, { selector: ({ id }) => id, minLength: 1, maxLength: 4 }),
      async (challenges) => {
        const files = await write(challenges)
        const result = await read(files)
        expect(result.problems).toEqual([])
        expect(result.ignored).toEqual([])
        // Paths are safe and differ in more than case; the content of a file is in the place of its path.
        expect(
          Object.keys(files)
            .map(pathProblem)
            .filter((problem) => problem !== null),
        ).toEqual([])
        expect(new Set(Object.keys(files).map(caseKeyOf)).size).toBe(Object.keys(files).length)
        const values = result.challenges.map(({ value }) => ({
          ...value,
          files: value.files?.map((file) => ('local' in file ? { ...file, local: files[file.local] } : file)),
        }))
        expect(values).toEqual(challenges)
        expect(await write(challenges)).toEqual(files)
      },
    ),
    { numRuns: 300 },
  )
})

describe('the JSON Schema for editors', () => {
  const isValid = new Ajv2020({ strict: false, formats: { uri: true } }).compile(documentSchema())
  const accepts = async (yaml: string) => {
    const parsed = await parseYaml(yaml)
    return isValid('value' in parsed ? parsed.value : null)
  }

  test('accepts what is exported', async () => {
    await fc.assert(
      fc.asyncProperty(challenge, async (value) => {
        const files = await write([value])
        const [document = ''] = Object.entries(files).flatMap(([path, content]) =>
          path.endsWith('/challenge.yaml') ? [content] : [],
        )
        expect(await accepts(document)).toBe(true)
      }),
    )
  })

  test.each(['hiden: true', 'points: 5', 'scoring: { kind: none }', 'files: [{ name: x }]', 'tags: easy'])(
    'refuses %s',
    async (yaml) => expect(await accepts(yaml)).toBe(false),
  )
})

test('long texts have files of their own', async () => {
  const description = 'word '.repeat(10_000)
  const files = await write([{ id: 'shop', category: 'web', description, adminBot: 'export {}' }])
  expect(Object.keys(files)).toEqual([
    'web/shop/challenge.yaml',
    'web/shop/description.md',
    'web/shop/admin-bot.js',
  ])
  expect((await read(files)).challenges[0]?.value).toMatchObject({ description, adminBot: 'export {}' })
})

test('code of the admin bot has the limit of the API', async () => {
  const { botCode } = challengeLimits
  const problemsOf = (code: string) =>
    problemsIn('adminBot: { code: { file: bot.js } }', { 'web/shop/bot.js': code })
  expect(await problemsOf('é'.repeat(botCode))).toEqual([])
  expect(await problemsOf('é'.repeat(botCode + 1))).toEqual([
    `adminBot.code: has more than ${botCode} characters`,
  ])
  const body = { data: { adminBotConfig: { code: 'é'.repeat(botCode + 1) } } }
  expect(putChallengeV2.body.safeParse(body).success).toBe(false)
})

describe('a document written by hand', () => {
  test('takes id and category from the folders, and files from files/', async () => {
    const result = await read({
      'web/shop/challenge.yaml': 'name: Shop\nflags:\n  - flag: flag{x}\n',
      'web/shop/files/b.txt': 'b',
      'web/shop/files/a.txt': 'a',
      'web/shop/solution.py': 'print()',
    })
    expect(result).toMatchObject({ problems: [], ignored: ['web/shop/solution.py'] })
    expect(result.challenges[0]).toEqual({
      folder: 'web/shop',
      pictures: [],
      value: expect.objectContaining({
        id: 'shop',
        category: 'web',
        name: 'Shop',
        flags: [{ provider: 'flags/static', config: { flag: 'flag{x}' } }],
        files: [
          { name: 'a.txt', local: 'web/shop/files/a.txt' },
          { name: 'b.txt', local: 'web/shop/files/b.txt' },
        ],
      }) as unknown,
    })
  })

  test('may be in one more folder around everything, as in archives of repositories', async () => {
    const { challenges, problems } = await read({
      'ctf-main/web/shop/challenge.yaml': 'name: Shop',
      'ctf-main/README.md': '',
    })
    expect([challenges[0]?.value.id, challenges[0]?.value.category, problems]).toEqual(['shop', 'web', []])
  })

  test('reports every problem with its place', async () => {
    const { problems } = await read({
      'web/a/challenge.yaml': 'points: { min: 5, max: 1 }\nhiden: true\ntags: [1]\n',
      'web/b/challenge.yaml': 'releaseTime: 2030-01-01\nfiles: [missing.zip, ../x, /etc/passwd]\n',
      'web/c/challenge.yaml': 'releaseTime: 2030-01-01T00:00:00Z\nfiles: [missing.zip, ../x]\n',
      'web/d/challenge.yaml': 'id: e',
      'web/e/challenge.yaml': 'name: "\\0"',
      'misc/e/challenge.yaml': '',
      'challenge.yaml': 'name: too high',
      'web/f/challenge.yaml': 'id: e',
    })
    expect(problems).toEqual([
      { path: 'web/a/challenge.yaml', reason: expect.stringMatching(/^tags\.0: /) as unknown },
      {
        path: 'web/a/challenge.yaml',
        reason: expect.stringMatching(/^points\.min: must not be above max/) as unknown,
      },
      { path: 'web/a/challenge.yaml', reason: expect.stringMatching(/hiden/) as unknown },
      {
        path: 'web/b/challenge.yaml',
        reason: expect.stringMatching(/^releaseTime: must be a date and time with/) as unknown,
      },
      { path: 'web/c/challenge.yaml', reason: 'files: missing.zip: there is no such file' },
      { path: 'web/c/challenge.yaml', reason: 'files: ../x: there is no such file' },
      { path: 'web/e/challenge.yaml', reason: 'name: has a character that cannot be stored' },
      { path: 'misc/e/challenge.yaml', reason: expect.stringMatching(/^must be a map$/) as unknown },
      { path: 'challenge.yaml', reason: 'must be in <category>/<challenge>/challenge.yaml' },
      { path: 'web/f/challenge.yaml', reason: 'has the same id as web/d/challenge.yaml: e' },
    ])
  })

  test('without a challenge there is a problem', async () => {
    expect((await read({ 'README.md': '' })).problems).toEqual([
      { path: '', reason: 'there is no challenge.yaml' },
    ])
  })
})

describe('a hostile document is refused with its reason', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, at) => {
      const before = 'abcdefgh'[at] ?? ''
      return `${name}: &${name} [${`*${before},`.repeat(9)}]`
    }),
  ].join('\n')

  test.each([
    ['aliases', bomb, /anchor|alias/],
    ['an alias', 'name: &n x\nauthor: *n', /anchor/],
    [
      'many keys',
      Array.from({ length: 30_000 }, (_, n) => `k${n}:`).join('\n'),
      new RegExp(`more than ${MAX_NODES} values|larger`),
    ],
    ['a repeated key', 'name: a\nname: b', /the key name twice/],
    ['a key that is a map', '? {a: b}\n: c', /a key that is not text/],
    ['a prototype', '__proto__: {hidden: false}', /__proto__/],
    ['a tag', 'name: !!binary aGVsbG8=', /tag/],
    ['an own tag', 'name: !node x', /tag/],
    ['deep brackets', `name: ${'['.repeat(100_000)}`, /nested deeper/],
    ['deep balanced brackets', `name: ${'['.repeat(900)}${']'.repeat(900)}`, /nested deeper/],
    ['a deep block', '- '.repeat(50_000), /nested deeper/],
    ['deep keys', Array.from({ length: 400 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), /nested deeper/],
    ['a huge text', `name: ${'x'.repeat(MAX_DOCUMENT_BYTES)}`, /larger than/],
    ['several documents', 'name: a\n---\nname: b', /not valid YAML/],
    ['no YAML', '"', /not valid YAML/],
  ])('%s', async (_name, yaml, reason) => {
    expect(await problemsIn(yaml)).toEqual([expect.stringMatching(reason)])
  })

  test('a text that is not UTF-8', async () => {
    const tree: FolderTree = {
      sizes: new Map([['web/a/challenge.yaml', 2]]),
      read: async () => ({ content: Buffer.from([0xc3, 0x28]) }),
    }
    expect((await readFolders(tree)).problems[0]?.reason).toBe('is not UTF-8 text')
  })

  test('more documents than may be parsed', async () => {
    const yaml = `# ${'x'.repeat(MAX_DOCUMENT_BYTES - 20)}\nname: a`
    const folders = Array.from({ length: 33 }, (_, n) => [`web/c${n}/challenge.yaml`, yaml])
    const { problems } = await read(Object.fromEntries(folders) as Record<string, string>)
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^exceeds the \d+ bytes that all documents/),
    ])
  })

  test('more listed files than an import may have', async () => {
    const yaml = `files:\n${'  - x\n'.repeat(1000)}`
    const folders = Array.from({ length: 21 }, (_, n) => [
      [`web/c${n}/challenge.yaml`, yaml],
      [`web/c${n}/x`, ''],
    ])
    const { problems } = await read(Object.fromEntries(folders.flat()) as Record<string, string>)
    expect(problems).toEqual([
      { path: 'web/c20/challenge.yaml', reason: 'files: all challenges list more than 20000 files' },
    ])
  })

  test('more text than may be in memory', async () => {
    const long = 'x'.repeat(MAX_TEXT_BYTES)
    const length = Math.ceil(MAX_TOTAL_TEXT_BYTES / MAX_TEXT_BYTES) + 1
    const folders = Array.from({ length }, (_, n) => [
      [`web/c${n}/challenge.yaml`, 'description: { file: text.md }'],
      [`web/c${n}/text.md`, long],
    ])
    const { problems } = await read(Object.fromEntries(folders.flat()) as Record<string, string>)
    const reasons = problems.map(({ reason }) => reason)
    expect(reasons[0]).toBe('description: has more than 200000 characters; put the rest into a file')
    expect(reasons.at(-1)).toMatch(/^description: text.md exceeds the \d+ bytes/)
  })
})
