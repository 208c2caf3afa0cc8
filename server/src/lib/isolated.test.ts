import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import { programPath } from '../../test/program.ts'
import { zipOf } from '../../test/zips.ts'
import { findProgramBy, IsolationError, runIsolated, type IsolatedWork } from './isolated.ts'

const MIB = 1024 * 1024
const CHALLENGES = 300

beforeAll(() => findProgramBy(() => programPath('child')))

async function run(change: Partial<IsolatedWork<unknown>> = {}): Promise<unknown[]> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  const long = `# ${'x'.repeat(190_000)}`
  const texts = Array.from({ length: CHALLENGES }, (_, n) => [
    { name: `web/c${n}/challenge.yaml`, content: 'description: {file: long.md}' },
    { name: `web/c${n}/long.md`, content: long },
  ])
  await writeFile(path, zipOf(texts.flat()))
  const work = { task: 'challenge-archive', input: { path, maxFileBytes: 64 * MIB }, maxMemoryMib: 512 }
  const values: unknown[] = []
  for await (const value of runIsolated({ ...work, limitMs: 60_000, ...change })) values.push(value)
  return values
}

test('yields what the task yields', async () => {
  const values = await run()
  expect(values).toHaveLength(CHALLENGES + 1)
  expect(values[0]).toMatchObject({ challenge: { folder: 'web/c0' } })
})

test('a task that needs more memory than it may is ended', async () => {
  await expect(run({ maxMemoryMib: 40 })).rejects.toThrow(
    new IsolationError('needs more than 40 MiB of memory'),
  )
})

test('a task that takes longer than it may is ended', async () => {
  await expect(run({ limitMs: 1 })).rejects.toThrow(new IsolationError('takes longer than 0.001 seconds'))
})

test('an aborted task is ended with the reason', async () => {
  const stop = new AbortController()
  const running = run({ signal: stop.signal })
  stop.abort(new Error('the client left'))
  await expect(running).rejects.toThrow('the client left')
  await expect(run({ signal: stop.signal })).rejects.toThrow('the client left')
})

test('a failure of the task is an error here', async () => {
  await expect(run({ input: { path: 7, maxFileBytes: 1 } })).resolves.toEqual([
    expect.objectContaining({ problems: [expect.objectContaining({ path: '' })] }),
  ])
  await expect(run({ input: null })).rejects.toThrow(/null/)
  await expect(run({ task: 'nothing' })).rejects.toThrow('there is no task nothing')
})
