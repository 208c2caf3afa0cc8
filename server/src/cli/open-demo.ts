import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { withoutConfiguration } from '../config/environment.ts'
import { loadConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'
import { openStore } from './store.ts'
import type { Database } from '../db/database.ts'
import { createTeamByHand } from '../features/people/accounts/admins.ts'
import { signInLink } from '../features/people/accounts/mail.ts'
import { createTokens } from '../features/people/accounts/tokens.ts'
import { createDisposal } from '../lib/disposal.ts'
import { demoChallenges } from '../ops/demo/challenges.ts'
import {
  DATA,
  demoConfig,
  forgetEvent,
  readEvent,
  timesOf,
  writeEvent,
  type DemoEvent,
  type Phase,
} from '../ops/demo/event.ts'
import { fillLive } from '../ops/demo/fill.ts'
import { played, playedLive, type Played } from '../ops/demo/history.ts'
import { liveChallenges } from '../ops/demo/live-challenges.ts'
import { seedContest, type SeedOptions } from '../ops/demo/seed.ts'
import { liveConfig, openLive } from '../ops/demo/live.ts'
import { startServer } from '../ops/demo/server.ts'

export interface DemoOptions {
  /** Keeps the data. */
  readonly folder: string
  readonly port: number
  /** Address to listen on; this machine by default. */
  readonly host?: string
  /** Configuration besides that of the event. */
  readonly config?: object
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
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<unknown>
  /** Auth token of a team. */
  tokenOf(teamId: string): string
  /** Link that signs in as a team when it is opened in a browser. */
  linkOf(teamId: string): string
}

const ORGANISER = { name: 'Harbour crew', email: 'crew@harbour.example', perms: ALL_PERMISSIONS }

/** Starts the server of the demo, and writes the event if the folder has none. */
export async function openDemo(context: ProcessContext, options: DemoOptions): Promise<Demo> {
  const { folder, port, say } = options
  const { command } = context
  const outside = withoutConfiguration(context.env)
  const known = await readEvent(folder)
  if (!known) await forgetEvent(folder)
  await mkdir(folder, { recursive: true })
  const { startTime, endTime } = known ?? timesOf(options.phase, Date.now())
  const url = `http://127.0.0.1:${port}`
  const parts = createDisposal()
  try {
    const live = options.withEngine
      ? await openLive({ serverUrl: url, worker: workerBeside(command), env: outside, say })
      : null
    parts.defer(() => live?.[Symbol.asyncDispose]())
    const values = { startTime, endTime, origin: url, ...(live && liveConfig(live)), ...options.config }
    const env = {
      ...outside,
      ...(await writeConfig(folder, values)),
      HOST: options.host ?? '127.0.0.1',
      PORT: String(port),
    }
    const inDemo = { ...context, env }
    const store = await openStore(await loadConfig(inDemo), inDemo)
    parts.defer(() => store[Symbol.asyncDispose]())
    const { db, config } = store
    // Before the server starts, so that it knows the organiser at once.
    const organiserId = known?.organiserId ?? (await createOrganiser(db))
    const server = await startServer({ command, env, url })
    parts.defer(() => server[Symbol.asyncDispose]())
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
      ended: server.ended,
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
  return { PENNANT_CONFIG: configFile, PENNANT_DATA_DIR: join(folder, DATA), LOG_LEVEL: 'warn' }
}

/** The worker's program, which a package and a build have beside the server's. */
function workerBeside(command: readonly string[]): string {
  return join(dirname(command.at(-1) ?? ''), '../../bot/dist/main.js')
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
