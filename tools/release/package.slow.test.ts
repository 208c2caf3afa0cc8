import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient } from '@pennant/contract/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import { build } from '../build.mjs'
import { writeArchive } from './archive.ts'
import { packageEntries } from './package.ts'

// The package as a stranger installs it: in an empty folder, without install scripts.

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
let folder: Awaited<ReturnType<typeof temporaryFolder>>
const inherited = Object.entries(process.env).filter(
  ([name]) => !/^(PENNANT_|DATABASE_URL$|REDIS_URL$)/.test(name),
)
const env = { ...Object.fromEntries(inherited), HOST: '127.0.0.1' }

beforeAll(async () => {
  // Only what is missing: other tests use the same build.
  await build(root)
  folder = await temporaryFolder()
  const context = { root, built: root, version: '1.0.0-test', commit: 'c0ffee' }
  await writeArchive(join(folder.path, 'pennant.tgz'), await packageEntries(context), new Date(0))
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, './pennant.tgz'], { cwd: folder.path, env })
}, 300_000)
afterAll(() => folder[Symbol.asyncDispose]())

const program = () => join(folder.path, 'node_modules/.bin/pennant')

/** Starts a command in the empty folder and waits for a line. Disposing stops it, which must succeed. */
async function start(args: readonly string[], line: RegExp): Promise<AsyncDisposable> {
  const child = spawn(program(), args, { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })
  const isThere = new Promise<boolean>((resolve) => {
    lines.on('line', (text) => line.test(text) && resolve(true))
    void ended.then(() => resolve(false))
  })
  expect(await isThere).toBe(true)
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT')
      expect(await ended).toEqual([0, null])
    },
  }
}

test('an installed package says its version and serves a contest in which a team registers', async () => {
  expect((await run(program(), ['--version'])).stdout).toMatch(/^pennant \d/)
  const port = await findFreePort()
  Object.assign(env, { PORT: String(port) })
  await using _server = await start(['serve'], /Pennant is ready at/)
  const call = createClient({ baseUrl: `http://127.0.0.1:${port}` })
  const made = await call(registerV2, { body: { name: 'First', email: 'first@mail.example' } })
  expect(made.kind).toBe('goodRegisterV2')
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('<script')
})

test('an installed package shows the example event', async () => {
  const port = await findFreePort()
  await using _demo = await start(['demo', '--port', String(port), '--teams', '20'], /^ {2}Organiser: http/)
  const board = await fetch(`http://127.0.0.1:${port}/api/v2/leaderboard/now?limit=5&offset=0`)
  const { data } = (await board.json()) as { data: { leaderboard: object[] } }
  expect(data.leaderboard).toHaveLength(5)
})
