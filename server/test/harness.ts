import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { Database } from '../src/db/database.ts'
import { createTeamByHand } from '../src/features/people/accounts/admins.ts'
import { createDisposal } from '../src/lib/disposal.ts'
import { findProgramBy } from '../src/lib/isolated.ts'
import type { EmailMessage } from '../src/providers/email/email.ts'
import type { WorldView } from '../src/world/model.ts'
import { createClock, type TestClock } from './clock.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { recordLog, type LogLine } from './log.ts'
import { programPath } from './program.ts'
import { checkResponse } from './strict.ts'
import type { Kind } from '../src/features/contest/kinds/kind.ts'
import { featureKinds } from '../src/wiring/kinds.ts'

/** Noon of the first day of the test contest, which runs from one hour before to 47 hours after. */
export const noon = Date.UTC(2030, 4, 2, 12)

export interface Member {
  readonly id: string
  readonly token: string
}

export interface Contest extends AsyncDisposable {
  readonly url: string
  /** The typed client; every response is checked against the contract. */
  readonly call: Client
  readonly clock: TestClock
  readonly db: Database
  readonly database: TestDatabase
  readonly app: App
  readonly logLines: readonly LogLine[]
  /** Messages sent through `emails/memory`, if the configuration uses it. */
  readonly mails: readonly EmailMessage[]
  world(): WorldView
  admin(perms?: number): Promise<Member>
  team(name?: string): Promise<Member>
}

export interface ContestOptions {
  readonly config?: Readonly<Record<string, unknown>>
  /**
   * Keeps keys in Redis if the run has one. Redis has its own clock and all tests share it, so only set this
   * for tests that wait neither for a rate limit to refill nor for a marker to expire.
   */
  readonly mayUseRedis?: boolean
  /** The folder of a built site; by default one with a single empty page. */
  readonly siteDirectory?: string
  /** Initial test clock in Unix milliseconds; a fixed noon by default. The clock must not go back. */
  readonly startsAt?: number
  /** Kinds of rows besides those of the features. */
  readonly kinds?: readonly Kind[]
  /** By default a database of the test run. It is disposed with the contest. */
  readonly database?: TestDatabase
  /** Joins the contest of another server, as a second replica would. */
  readonly beside?: Contest
}

/**
 * Starts a complete server, wired as in production, with its own database and port and a clock that the test
 * moves.
 */
export async function startContest(options: ContestOptions = {}): Promise<Contest> {
  findProgramBy(() => programPath('child'))
  const disposal = createDisposal()
  const database = options.beside?.database ?? options.database ?? (await openTestDatabase())
  // A replica has its own connections, so it learns of changes the way another process would.
  const db = options.beside ? await database.open() : database.db
  disposal.defer(() => (options.beside ? db.close() : database[Symbol.asyncDispose]()))
  const clock = options.beside?.clock ?? createClock(options.startsAt ?? noon)
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-test-'))
  disposal.defer(() => rm(dataDir, { recursive: true, force: true }))
  const siteDirectory = options.siteDirectory ?? (await emptySite(dataDir))
  const { log, lines } = recordLog()
  const config = readConfig([
    // A busy machine would make the server shed requests of tests that expect a reply to each.
    { source: 'harness', values: { http: { overloadDelay: 0 } } },
    { source: 'test', values: { ...defaults(dataDir), ...redisOf(options), ...options.config } },
  ])
  const app = await createApp({
    config,
    db,
    log,
    now: () => clock.now(),
    siteDirectory,
    kinds: [...featureKinds, ...(options.kinds ?? [])],
  })
  disposal.defer(() => app[Symbol.asyncDispose]())
  const url = await app.listen()
  const call = createClient({ baseUrl: url, onResponse: checkResponse })
  const email = app.providers.email
  return {
    url,
    call,
    clock,
    db,
    database,
    app,
    logLines: lines,
    mails: email && 'sent' in email ? (email.sent as EmailMessage[]) : [],
    world: app.stores.world,
    admin: (perms = ALL_PERMISSIONS) => makeAdmin(app, perms),
    team: (name = `team ${++teams}`) => registerTeam(app, name),
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

let teams = 0

export const testTokenKey = Buffer.alloc(32, 7)

async function emptySite(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'site')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Test</title>')
  return folder
}

function defaults(dataDir: string) {
  return {
    tokenKey: testTokenKey.toString('base64'),
    startTime: noon - HOUR_MS,
    endTime: noon + 47 * HOUR_MS,
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
  // Bypasses the route, which would require a mailed link in deployments with mail and could hit a rate
  // limit.
  return makeTeam(app.stores, { name, email, perms: 0 })
}

async function makeTeam(
  { db, tokens }: App['stores'],
  team: { readonly name: string; readonly email: string; readonly perms: number },
): Promise<Member> {
  const made = await createTeamByHand({ db, ...team, division: 'open' })
  if (!('id' in made)) throw new Error(`${team.name} already exists`)
  return { id: made.id, token: tokens.issueAuth(made.id) }
}
