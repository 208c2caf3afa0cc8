import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminChallenges, openChallengeFolder, type ChallengeFolder } from '../../test/challenge-folder.ts'
import { startContest, type Contest, type Member } from '../../test/harness.ts'
import { programPath, runProgram } from '../../test/program.ts'
import { parseYaml } from '../features/organisers/archives/yaml.ts'

const root = join(import.meta.dirname, '../../..')

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

let folder: ChallengeFolder
beforeEach(async () => {
  folder = await openChallengeFolder()
})
afterEach(() => folder[Symbol.asyncDispose]())

async function ids(): Promise<string[]> {
  return (await adminChallenges(contest, admin.token)).map(({ id }) => id)
}

test('the program exits with 3 for differences and reads its token from a file', async () => {
  await folder.write({ 'web/program/challenge.yaml': 'name: Program\n' })
  const token = join(await mkdtemp(join(tmpdir(), 'pennant-token-')), 'token')
  await writeFile(token, `${admin.token}\n`)
  const env = { PENNANT_URL: contest.url, PENNANT_TOKEN_FILE: token }
  const first = await runProgram(['challenges', 'plan', folder.path], env)
  expect(first).toMatchObject({ status: 3, complaints: expect.not.stringContaining('error') as string })
  const args = ['challenges', 'apply', folder.path, '--json']
  const applied = await runProgram(args, env)
  expect(applied.status).toBe(0)
  expect(JSON.parse(applied.output)).toMatchObject({ changes: [{ id: 'program', state: 'created' }] })
  const last = await runProgram(['challenges', 'plan', folder.path], env)
  expect(last).toMatchObject({ status: 0, output: '0 changes\n' })
})

describe('the examples for builds', () => {
  interface Job {
    readonly script?: readonly string[]
    readonly steps?: readonly { readonly run?: string }[]
  }
  /** Runs the commands of a job with the program of this checkout instead of the one of the image. */
  async function runJob(file: string, name: string): Promise<number | null> {
    const parsed = await parseYaml(await readFile(join(root, 'deploy/ci', file), 'utf8'))
    const document = ('value' in parsed ? parsed.value : {}) as Record<string, unknown>
    const job = ((document['jobs'] as Record<string, Job> | undefined) ?? (document as Record<string, Job>))[
      name
    ]
    const lines = job?.script ?? job?.steps?.flatMap(({ run: command }) => command ?? []) ?? []
    const bin = join(folder.path, 'bin')
    const node = `exec "${process.execPath}" "${programPath()}"`
    await folder.write({
      'bin/node': `#!/bin/sh\nshift\n${node} "$@"\n`,
      // The arguments after the image, with the volume at its place.
      'bin/docker': `#!/bin/bash\nwhile [ "$1" != image ]; do shift; done; shift\n${node} "\${@//\\/work/$PWD}"\n`,
    })
    await Promise.all(['node', 'docker'].map((tool) => chmod(join(bin, tool), 0o755)))
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      PENNANT_URL: contest.url,
      PENNANT_IMAGE: 'image',
      PENNANT_TOKEN: admin.token,
      PENNANT_READ_TOKEN: admin.token,
      PENNANT_WRITE_TOKEN: admin.token,
    }
    const child = spawn('bash', ['-e', '-c', lines.join('\n')], { cwd: folder.path, env, stdio: 'ignore' })
    const [status] = (await once(child, 'close')) as [number | null]
    return status
  }

  test.each([
    ['github.yaml', 0],
    ['gitlab.yaml', 3],
  ])('%s plans, applies and finds drift', async (file, planned) => {
    // Builds the program once.
    expect(await runProgram(['--help'])).toMatchObject({ status: 0 })
    const id = `built-${planned}`
    await folder.write({ [`challenges/web/${id}/challenge.yaml`]: `name: ${id}\n` })
    expect(await runJob(file, 'plan')).toBe(planned)
    expect(await ids()).not.toContain(id)
    expect(await runJob(file, 'apply')).toBe(0)
    expect(await ids()).toContain(id)
    expect(await runJob(file, 'plan')).toBe(0)
    expect(await runJob(file, 'drift')).toBe(3)
  })
})
