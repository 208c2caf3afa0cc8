import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { openDatabase } from '../../server/src/db/database.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { recordLog } from '../../server/test/log.ts'
import { putManyTeams } from '../../server/test/many-teams.ts'
import { freePort, startInstance, type Instance } from '../lib/instance.ts'

const TEAMS = 10_000
const CHALLENGES = 120
/** Position 1 solves the most challenges; the viewer's team is in the middle and solves half of them. */
const OWN_PLACE = TEAMS / 2 - 10
const CATEGORIES = ['web', 'crypto', 'pwn', 'rev', 'forensics', 'osint', 'misc', 'hardware']
const COUNTRIES = ['NO', 'DE', 'BR', 'JP', 'FR', 'KE', null]
const DESCRIPTION = [
  'Something is hidden in this service. It answers on one port only, and says little.',
  '> [!CONNECTION]\n> nc tasks.ctf.example 31337',
  'The sources are given. `strings` finds nothing; look at what the *second* request changes.',
].join('\n\n')

export interface LargeContest extends AsyncDisposable {
  readonly url: string
  /** Token of `Own Crew`, in the middle of the leaderboard. */
  readonly token: string
  /** Solves one more challenge as the viewer's team. Returns false when none is left. */
  solveNext(): Promise<boolean>
}

/** Starts a server with the large data set: 10,000 teams, 120 challenges, 600,000 solves. */
export async function openLargeContest(): Promise<LargeContest> {
  const disposal = createDisposal()
  const folder = await mkdtemp(join(tmpdir(), 'pennant-budgets-'))
  disposal.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const options = { dataDir, port: await freePort(), env: await environment(folder) }
  const token = await fill(await startInstance(options), dataDir)
  // Restarted, because the rows were inserted without change notifications; the server loads them at startup.
  const instance = await startInstance(options)
  disposal.defer(() => instance[Symbol.asyncDispose]())
  const call = createClient({ baseUrl: instance.url })
  let next = CHALLENGES / 2 + 2
  return {
    url: instance.url,
    token,
    async solveNext() {
      const id = taskId(next)
      next += 1
      if (next > CHALLENGES) return false
      const response = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
      if (response.kind !== 'goodFlag') throw new Error(response.kind)
      return true
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

async function environment(folder: string): Promise<Record<string, string>> {
  const configFile = join(folder, 'pennant.yaml')
  const config = {
    ctfName: 'Budget CTF',
    homeContent: `# Welcome\n\n${'A contest for everybody, from the first steps to the last bit. '.repeat(12)}`,
    divisions: { open: 'Open', student: 'Students' },
    defaultDivision: 'open',
    startTime: Date.now() - 4 * HOUR_MS,
    endTime: Date.now() + 44 * HOUR_MS,
  }
  // JSON is valid YAML.
  await writeFile(configFile, JSON.stringify(config))
  return { PENNANT_CONFIG: configFile, LOG_LEVEL: 'error' }
}

/** Returns the token of the viewer's team and stops the server. */
async function fill(instance: Instance, dataDir: string): Promise<string> {
  await using _ = instance
  const call = createClient({ baseUrl: instance.url })
  const { authToken } = await instance.createAdmin('budgets')
  for (let number = 1; number <= CHALLENGES; number += 1) await putTask(call, authToken, number)
  const made = await call(registerV2, { body: { name: 'Own Crew', email: 'own@crews.example' } })
  if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
  const own = await call(readOwnProfileV2, { token: made.data.authToken })
  if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
  const url = process.env['DATABASE_URL'] ?? embeddedUrl(dataDir)
  const db = await openDatabase({ url, maxPoolSize: 2, log: recordLog().log })
  try {
    const places = Array.from({ length: TEAMS }, (_place, at) => at + 1)
    await putManyTeams(db, {
      teams: places.map((place) => (place === OWN_PLACE ? own.data.id : teamId(place))),
      countries: places.map((place) => COUNTRIES[place % COUNTRIES.length] ?? null),
      challenges: Array.from({ length: CHALLENGES }, (_task, at) => taskId(at + 1)),
      divisions: ['open', 'student'],
      began: new Date(Date.now() - 3 * HOUR_MS),
    })
  } finally {
    await db.close()
  }
  return made.data.authToken
}

function embeddedUrl(dataDir: string): string {
  return `postgres://pennant@/postgres?host=${encodeURIComponent(join(dataDir, 'postgres'))}&port=5432`
}

async function putTask(call: Client, token: string, number: number): Promise<void> {
  const id = taskId(number)
  const data = {
    name: `Task ${number}`,
    category: CATEGORIES[number % CATEGORIES.length] ?? 'misc',
    author: `author ${number % 9}`,
    description: DESCRIPTION,
    hidden: false,
    flags: [{ provider: 'flags/static', config: { flag: `flag{${id}}` } }],
    points: { min: 100, max: 500 },
  }
  const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
  if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(JSON.stringify(saved))
}

const taskId = (number: number) => `task-${String(number).padStart(3, '0')}`

function teamId(place: number): string {
  return `00000000-0000-4000-8000-${place.toString(16).padStart(12, '0')}`
}
