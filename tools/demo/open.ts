import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { loadConfig } from '../../server/src/cli/load-config.ts'
import type { ProcessContext } from '../../server/src/cli/process-context.ts'
import { openStore } from '../../server/src/cli/store.ts'
import type { Database } from '../../server/src/db/database.ts'
import { createTeamByHand } from '../../server/src/features/people/accounts/admins.ts'
import { signInLink } from '../../server/src/features/people/accounts/mail.ts'
import { createTokens } from '../../server/src/features/people/accounts/tokens.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { startInstance } from '../lib/instance.ts'
import { demoChallenges } from '../seed/challenges.ts'
import { demoConfig, readEvent, timesOf, writeEvent, type DemoEvent, type Phase } from '../seed/event.ts'
import { fillLive } from '../seed/fill.ts'
import { played, playedLive, type Played } from '../seed/history.ts'
import { liveChallenges } from '../seed/live-challenges.ts'
import { seedContest, type SeedOptions } from '../seed/seed.ts'
import { liveConfig, openLive } from './live.ts'

export interface DemoOptions {
  /** Keeps the data. */
  readonly folder: string
  readonly port: number
  /** For the first start; later ones keep what the folder has. */
  readonly teams: number
  readonly phase: Phase
  /** Whether to look for a container engine and a browser. */
  readonly withEngine: boolean
  readonly say: (line: string) => void
}

export interface Demo extends AsyncDisposable {
  readonly url: string
  readonly call: Client
  readonly db: Database
  readonly event: DemoEvent
  readonly challenges: readonly Played[]
  /** Auth token of a team. */
  tokenOf(teamId: string): string
  /** Link that signs in as a team when it is opened in a browser. */
  linkOf(teamId: string): string
}

const ORGANISER = { name: 'Harbour crew', email: 'crew@harbour.example', perms: ALL_PERMISSIONS }

/** Starts the server of the demo, and writes the event if the folder has none. */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  const { folder, port, say } = options
  const known = await readEvent(folder)
  // What an interrupted first start has left is incomplete.
  if (!known) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { startTime, endTime } = known ?? timesOf(options.phase, Date.now())
  const url = `http://127.0.0.1:${port}`
  const parts = createDisposal()
  try {
    const live = options.withEngine ? await openLive({ serverUrl: url, say }) : null
    parts.defer(() => live?.[Symbol.asyncDispose]())
    const env = await writeConfig(folder, { startTime, endTime, origin: url, ...(live && liveConfig(live)) })
    const store = await openDemoStore(env)
    parts.defer(() => store[Symbol.asyncDispose]())
    const { db, config } = store
    // Before the server starts, so that it knows the organiser at once.
    const organiserId = known?.organiserId ?? (await createOrganiser(db))
    const instance = await startInstance({ dataDir: config.dataDir, port, env })
    parts.defer(() => instance[Symbol.asyncDispose]())
    const tokens = createTokens({ key: config.tokenKey, now: Date.now, loginTimeoutMs: HOUR_MS })
    const call = createClient({ baseUrl: url })
    const tokenOf = (teamId: string) => tokens.issueAuth(teamId)
    const runnable = live ? liveChallenges : []
    const seed = { db, call, organiserId, tokenOf, startTime, endTime, live: runnable }
    const event = known ?? (await writePast({ ...options, ...seed }))
    // Those that an earlier start could not run.
    const existing = await challengeIds(db)
    await fillLive({ call, token: tokenOf(organiserId), challenges: runnable, existing })
    return {
      url,
      call,
      db,
      event,
      challenges: [...demoChallenges.map(played), ...runnable.map(playedLive)],
      tokenOf,
      linkOf: (teamId) => signInLink(url, tokens.issueTeam(teamId)),
      [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
    }
  } catch (error) {
    await parts[Symbol.asyncDispose]()
    throw error
  }
}

/** Returns the environment of the server. */
async function writeConfig(folder: string, values: object): Promise<Record<string, string>> {
  const configFile = join(folder, 'pennant.yaml')
  // JSON is valid YAML.
  await writeFile(configFile, `${JSON.stringify({ ...demoConfig, ...values }, null, 2)}\n`)
  return { PENNANT_CONFIG: configFile, PENNANT_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
}

/** Opens the same database as the server, as a command of the command line does. */
async function openDemoStore(env: Readonly<Record<string, string>>) {
  const context: ProcessContext = {
    env,
    now: Date.now,
    isTerminal: false,
    print: console.log,
    complain: console.error,
    ask: () => Promise.resolve(null),
    catchSignals: () => new AbortController().signal,
    exit: (status) => process.exit(status),
  }
  return await openStore(await loadConfig(context), context)
}

async function createOrganiser(db: Database): Promise<string> {
  const made = await createTeamByHand({ db, ...ORGANISER, division: demoConfig.defaultDivision })
  if ('collision' in made) throw new Error(`a team with the ${made.collision} of the organiser exists`)
  return made.id
}

async function challengeIds(db: Database): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(sql`select id from challenges`)
  return new Set(rows.map(({ id }) => id))
}

/** Seeds the event and keeps its times for later starts. */
async function writePast(options: DemoOptions & Omit<SeedOptions, 'now'>): Promise<DemoEvent> {
  const { folder, teams, phase, startTime, endTime, organiserId, say } = options
  say(`writing the past of ${teams} teams`)
  const { playerId } = await seedContest({ ...options, now: Date.now() })
  const event = { phase, teams, startTime, endTime, organiserId, playerId }
  await writeEvent(folder, event)
  return event
}
