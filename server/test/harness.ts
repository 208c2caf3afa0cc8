import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { allPermissions } from '@pennant/contract/permissions.ts'
import { createApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config/read-config.ts'
import { openDatabase, type Database } from '../src/db/database.ts'
import { createAdmin } from '../src/features/accounts/admins.ts'
import { createDisposal } from '../src/lib/disposal.ts'
import type { EmailMessage } from '../src/providers/email/email.ts'
import type { WorldView } from '../src/world/model.ts'
import { createClock, type TestClock } from './clock.ts'
import { openTestDatabase } from './database.ts'
import { keepLog, type LogLine } from './log.ts'
import { checkAnswer } from './strict.ts'

/** Noon of the first day of the test contest, which runs from an hour before to 47 hours after. */
export const noon = Date.UTC(2030, 4, 2, 12)
export const hour = 3_600_000

export interface Member {
  readonly id: string
  readonly token: string
}

export interface Contest extends AsyncDisposable {
  readonly url: string
  /** The typed client; every answer is held against the contract. */
  readonly call: Client
  readonly clock: TestClock
  readonly db: Database
  readonly databaseUrl: string
  readonly app: App
  readonly logLines: readonly LogLine[]
  /** What `emails/memory` was given, when the configuration has it. */
  readonly mails: readonly EmailMessage[]
  world(): WorldView
  admin(perms?: number): Promise<Member>
  team(name?: string): Promise<Member>
}

export interface ContestOptions {
  readonly config?: Readonly<Record<string, unknown>>
  /**
   * Keys in Redis where the run has one. Its clock is not the test's, and all tests share it: for stories that neither
   * wait for a bucket nor for a marker's end.
   */
  readonly mayUseRedis?: boolean
  /** The folder of a built site; one page that says nothing unless given. */
  readonly siteDirectory?: string
  /** Unix milliseconds that the clock begins at, a fixed noon unless given. It must not go back afterwards. */
  readonly startsAt?: number
  /** Another process's contest to join, as a second replica would. */
  readonly beside?: Contest
}

/** A whole service as the product wires it, on a database and a port of its own, with a clock that the test moves. */
export async function startContest(options: ContestOptions = {}): Promise<Contest> {
  const disposal = createDisposal()
  const database = options.beside ? null : await openTestDatabase()
  if (database) disposal.defer(() => database[Symbol.asyncDispose]())
  const databaseUrl = options.beside?.databaseUrl ?? database?.url ?? ''
  // A replica has connections of its own, so that it learns of changes as another process would.
  const db = database?.db ?? (await openDatabase({ url: databaseUrl, maxPoolSize: 8, log: keepLog().log }))
  if (!database) disposal.defer(() => db.close())
  const clock = options.beside?.clock ?? createClock(options.startsAt ?? noon)
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-test-'))
  disposal.defer(() => rm(dataDir, { recursive: true, force: true }))
  const siteDirectory = options.siteDirectory ?? (await emptySite(dataDir))
  const { log, lines } = keepLog()
  const config = readConfig([
    { source: 'test', values: { ...defaults(dataDir), ...redisOf(options), ...options.config } },
  ])
  const app = await createApp({ config, db, log, now: () => clock.now(), siteDirectory })
  disposal.defer(() => app[Symbol.asyncDispose]())
  const url = await app.listen()
  const call = createClient({ baseUrl: url, onAnswer: checkAnswer })
  const email = app.providers.email
  return {
    url,
    call,
    clock,
    db,
    databaseUrl,
    app,
    logLines: lines,
    mails: email && 'sent' in email ? (email.sent as EmailMessage[]) : [],
    world: app.stores.world,
    admin: (perms = allPermissions) => makeAdmin(app, perms),
    team: (name = `team ${++teams}`) => registerTeam(app, name),
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

let teams = 0

async function emptySite(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'site')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Test</title>')
  return folder
}

function defaults(dataDir: string) {
  return {
    tokenKey: Buffer.alloc(32, 7).toString('base64'),
    startTime: noon - hour,
    endTime: noon + 47 * hour,
    origin: 'https://ctf.example',
    host: '127.0.0.1',
    port: 0,
    dataDir,
  }
}

function redisOf({ mayUseRedis = false }: ContestOptions) {
  const url = process.env['PENNANT_TEST_REDIS_URL']
  return mayUseRedis && url ? { redis: { url } } : {}
}

async function makeAdmin({ stores }: App, perms: number): Promise<Member> {
  const name = `admin ${++teams}`
  const email = `${name.replace(' ', '-')}@ctf.example`
  return makeTeam(stores, { name, email, perms })
}

async function registerTeam(app: App, name: string): Promise<Member> {
  const email = `team-${++teams}@ctf.example`
  // Not through the route: deployments with mail would ask for a link, and those with limits would refuse.
  return makeTeam(app.stores, { name, email, perms: 0 })
}

async function makeTeam(
  { db, tokens }: App['stores'],
  team: { readonly name: string; readonly email: string; readonly perms: number },
): Promise<Member> {
  const made = await createAdmin({ db, ...team, division: 'open' })
  if (!('id' in made)) throw new Error(`${team.name} exists already`)
  return { id: made.id, token: tokens.issueAuth(made.id) }
}
