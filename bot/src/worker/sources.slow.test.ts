import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileSource, type CompilerDeps } from './compiler.ts'
import { createSources } from './sources.ts'

let deps: CompilerDeps

beforeAll(async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  deps = {
    command: [process.execPath, '--import', import.meta.resolve('tsx'), main],
    folder: await mkdtemp(join(tmpdir(), 'pennant-test-')),
    surroundings: { chromiumPath: null, firefoxPath: null, hasSandbox: false, allowPrivate: [] },
    users: null,
  }
})

afterAll(() => rm(deps.folder, { recursive: true, force: true }))

const codeOf = (timeout: number, more = '') => `import { Challenge } from '@pennant/bot'
  ${more}
  export const challenge = new Challenge({ timeoutMilliseconds: ${timeout}, inputs: {}, async handler() {} })`

test('reads and compiles each revision once, and replaces the previous one', async () => {
  const read: string[] = []
  const sources = createSources(
    {
      readSource: async (id, revision) => {
        read.push(`${id} ${revision}`)
        return { sourceCode: codeOf(Number(revision)), configRevision: revision }
      },
    },
    deps,
  )
  for (const revision of ['1', '1', '2', '2', '1']) {
    const { plan } = await sources.load('c', revision)
    expect(plan.timeoutMilliseconds).toBe(Number(revision))
  }
  expect(read).toEqual(['c 1', 'c 2', 'c 1'])
  expect(await readdir(deps.folder)).toEqual([])
})

test('evicts the source of one challenge when another needs the space', async () => {
  const read: string[] = []
  const readSource = async (id: string) => {
    read.push(id)
    return { sourceCode: codeOf(1), configRevision: 'r' }
  }
  const sources = createSources({ readSource }, deps, 1)
  for (const id of ['a', 'a', 'b', 'a']) await sources.load(id, 'r')
  expect(read).toEqual(['a', 'a', 'b', 'a'])
})

test('returns the compiler error of a source that does not compile', async () => {
  const sources = createSources(
    { readSource: async () => ({ sourceCode: 'const = 1', configRevision: 'r' }) },
    deps,
  )
  await expect(sources.load('c', 'r')).rejects.toThrow('line 1, column 7')
})

test.each([
  ['a log of a billion lines', 'maxLogLines: 1e9'],
  ['a limit of a month', 'timeoutMilliseconds: 2_592_000_000'],
])('terminates the process of code that reports %s in place of its own options', async (_name, field) => {
  const plan = `{ inputs: {}, timeoutMilliseconds: 1, requireInstancerInstancesRunning: false, maxLogLines: 1,
    maxLogValueChars: 1, ${field} }`
  const forged = `const fs = process.getBuiltinModule('fs')
    fs.writeSync(3, JSON.stringify({ type: 'compiled', code: '', plan: ${plan} }) + '\\n')
    for (;;);`
  expect(await compileSource(codeOf(1, forged), deps)).toEqual({
    detail: expect.stringContaining('ended the process'),
  })
})

test.each([
  ['loops for ever', 'for (;;);', 'did not come to its end'],
  ['ends the process', 'process.exit(0)', 'ended the process'],
  ['takes all memory', 'const kept = []; for (;;) kept.push(new Array(1e6).fill({}))', 'ended the process'],
])('code that %s ends only its child process, which leaves no files', async (_name, more, detail) => {
  expect(await compileSource(codeOf(1, more), deps)).toEqual({ detail: expect.stringContaining(detail) })
  expect(await readdir(deps.folder)).toEqual([])
})
