import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../server/test/eventually.ts'

// A run that ends early leaves no process, folder or mount behind. It needs the build of the server.

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const isRoot = process.getuid?.() === 0

/** Everything that a run creates is in this folder, or names it in its command or its environment. */
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-cleanup-'))
  // The account of the database must be able to reach its files.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'tmp'), { mode: 0o755 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Run {
  readonly child: ChildProcess
  readonly errors: () => string
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    env: { ...process.env, ...env, TMPDIR: join(folder, 'tmp') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return { child, errors: () => errors }
}

/** The status of the run, after which nothing of it must exist. */
async function statusOf(run: Run): Promise<number | null> {
  const { child, errors } = run
  const [status] = (await once(child, 'close')) as [number | null]
  expect(errors()).not.toContain('cleaning up')
  const left = (await listProcesses()).map(({ command }) => command)
  expect(left).toEqual([])
  expect(await readFile('/proc/mounts', 'utf8')).not.toContain(folder)
  expect(await listNamespaces(run)).toEqual([])
  // What `tsx` caches stays.
  const files = (await readdir(join(folder, 'tmp'))).filter((name) => name.startsWith('pennant'))
  expect(files).toEqual([])
  return status
}

async function listNamespaces({ child }: Run): Promise<string[]> {
  const names = await readdir('/run/netns').catch(() => [])
  return names.filter((name) => name.startsWith(`pennant-${child.pid}-`))
}

/** The processes of the run except the tool itself. */
async function listProcesses() {
  const found: { pid: number; command: string; state: string }[] = []
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!(pid > 0) || pid === process.pid) continue
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const command = (await read('cmdline')).replaceAll('\0', ' ')
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (![command, cwd, await read('environ')].some((text) => text.includes(folder))) continue
    const state = /^State:\s+(\S)/m.exec(await read('status'))?.[1] ?? ''
    if (state !== 'Z') found.push({ pid, command, state })
  }
  return found
}

test.runIf(process.platform === 'linux')(
  'SIGTERM while the processes of the database are stopped',
  async () => {
    const faults = ['database-stopped', ...(isRoot ? ['disk-full', 'packets-lost'] : [])]
    const run = start(['--faults', faults.join(','), '--rounds', '1'])
    const stopped = async () => (await listProcesses()).filter(({ state }) => state === 'T').length
    await eventually(async () => expect(await stopped()).toBeGreaterThan(3))
    if (isRoot) {
      expect(await readFile('/proc/mounts', 'utf8')).toContain(folder)
      expect(await listNamespaces(run)).toHaveLength(1)
    }
    run.child.kill('SIGTERM')
    expect(await statusOf(run)).toBe(143)
  },
)

test.runIf(process.platform === 'linux')('SIGINT while the deployment starts', async () => {
  const run = start(['--faults', 'replica', '--rounds', '1'])
  const commands = async () => (await listProcesses()).map(({ command }) => command)
  await eventually(async () =>
    expect(await commands()).toContainEqual(expect.stringContaining('main.js serve')),
  )
  run.child.kill('SIGINT')
  expect(await statusOf(run)).toBe(130)
})

test.runIf(process.platform === 'linux')('an error', async () => {
  const programs = join(folder, 'bin')
  await mkdir(programs)
  const broken = '#!/bin/sh\ntest "$1" = --version\n'
  await writeFile(join(programs, 'redis-server'), broken, { mode: 0o755 })
  const run = start(['--faults', 'redis', '--rounds', '1'], { PATH: `${programs}:${process.env.PATH ?? ''}` })
  expect(await statusOf(run)).toBe(1)
  expect(run.errors()).toContain('Redis ended while it started')
})
