import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../server/test/folder.ts'

// The suite runs the sources; operators run the bundle. What is loaded late there is asked for here.

const root = fileURLToPath(new URL('..', import.meta.url))

function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PENNANT_'))
  const done = spawnSync(command, args, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...env },
    encoding: 'utf8',
  })
  return { status: done.status, output: done.stdout, complaints: done.stderr }
}

beforeAll(() => {
  expect(run(process.execPath, ['tools/run.mjs', 'build'])).toMatchObject({ status: 0 })
})

test('the bundle reads a configuration file and prints it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'pennant.yaml')
  writeFileSync(file, 'ctfName: Bundled\nemail:\n  from: ctf@ctf.example\n  provider: emails/memory\n')
  const env = { PENNANT_CONFIG: file, PENNANT_DATA_DIR: folder.path }
  expect(run(process.execPath, ['server/dist/main.js', 'config', 'check'], env)).toMatchObject({ status: 0 })
  const printed = run(process.execPath, ['server/dist/main.js', 'config', 'print'], env)
  expect(printed).toMatchObject({ status: 0, complaints: '' })
  expect(printed.output).toContain('ctfName: Bundled')
})
