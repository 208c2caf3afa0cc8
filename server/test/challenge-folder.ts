import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ProcessContext } from '../src/cli/process-context.ts'
import { run } from '../src/cli/program.ts'
import { noon, startContest, type Contest, type Member } from './harness.ts'

/** Files of challenges by their path in the folder. */
type ChallengeFiles = Readonly<Record<string, string | Buffer>>

export interface ChallengeFolder extends AsyncDisposable {
  readonly path: string
  write(files: ChallengeFiles): Promise<void>
}

/** An empty folder on disk. */
export async function openChallengeFolder(): Promise<ChallengeFolder> {
  const path = await mkdtemp(join(tmpdir(), 'pennant-challenges-'))
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true })
        await writeFile(join(path, name), content)
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

/** The challenges of the contest as organisers see them. */
export async function adminChallenges(contest: Contest, token: string) {
  const listed = await contest.call(listAdminChallengesV2, { token })
  if (listed.kind !== 'goodAdminChallenges') throw new Error(listed.kind)
  return listed.data
}

/** Runs `pennant challenges` in this process. */
export async function runChallenges(args: readonly string[], env: Readonly<Record<string, string>>) {
  const [output, complaints]: [string[], string[]] = [[], []]
  const context: ProcessContext = {
    env,
    command: [process.execPath],
    now: () => noon,
    isTerminal: false,
    print: (line) => void output.push(line),
    complain: (line) => void complaints.push(line),
    ask: async () => null,
    catchSignals: () => new AbortController().signal,
    exit: () => {
      throw new Error('exited')
    },
  }
  const status = await run(['challenges', ...args], context)
  return { status, output: output.join('\n'), complaints: complaints.join('\n') }
}

/** A site for all tests of a file, and for each test a folder and an organiser, because imports are limited. */
export function shareChallengeSite() {
  let contest: Contest
  let admin: Member
  let folder: ChallengeFolder
  beforeAll(async () => {
    contest = await startContest()
  })
  beforeEach(async () => {
    admin = await contest.admin()
    folder = await openChallengeFolder()
  })
  afterEach(() => folder[Symbol.asyncDispose]())
  afterAll(() => contest[Symbol.asyncDispose]())

  const challenges = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runChallenges(args, { PENNANT_URL: contest.url, PENNANT_TOKEN: admin.token, ...env })
  return {
    get contest() {
      return contest
    },
    get admin() {
      return admin
    },
    get folder() {
      return folder
    },
    challenges,
    write: (files: ChallengeFiles) => folder.write(files),
    plan: (...args: readonly string[]) => challenges(['plan', folder.path, ...args]),
    apply: (...args: readonly string[]) => challenges(['apply', folder.path, ...args]),
    async stored(id: string) {
      const listed = await adminChallenges(contest, admin.token)
      return listed.find((challenge) => challenge.id === id)
    },
  }
}
