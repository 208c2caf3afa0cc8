import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_PERMISSIONS, permissions } from '@pennant/contract/permissions.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { insertPerson, placeInTeam } from '../../server/src/features/people/persons/store.ts'
import { renewLink } from '../../server/src/features/people/sign-in/personal-link.ts'
import { openDatabase, type Database } from '../../server/src/db/database.ts'
import { createTeamByHand } from '../../server/src/features/people/accounts/admins.ts'
import { createTokens, type Tokens } from '../../server/src/features/people/accounts/tokens.ts'
import { asAdmin, withDatabase } from '../../server/test/database-admin.ts'
import { recordLog } from '../../server/test/log.ts'

/** A built server with its own database, an admin, and one organiser per permission. */
export interface Staging extends AsyncDisposable {
  readonly url: string
  readonly adminToken: string
  readonly organiserTokens: readonly string[]
  readonly personLinks: readonly string[]
  /** The server's log so far. */
  log(): string
}

export interface StagingOptions {
  /** The bundled server. */
  readonly program: string
  /** A database server, and a migrated template database on it. */
  readonly serverUrl: string
  readonly template: string
}

const tokenKey = Buffer.alloc(32, 7)

/** Enables every feature that the self-test can check. */
const config = {
  ctfName: 'Staging',
  userMembers: true,
  // Passkeys need a name. Nothing resolves it: the self-test uses the address of this machine.
  origin: 'https://staging.pennant.invalid',
  organisers: { secondFactor: ['owner'] },
  divisions: { open: 'Open', students: 'Students' },
  instancers: { local: { name: 'instancers/memory' } },
  adminBot: {
    provider: {
      name: 'admin-bots/browser',
      options: { endpoint: 'http://worker.test', secretKey: 'mutants-bot-secret' },
    },
  },
}

/** Longest start on a busy machine. */
const START_LIMIT_MS = MINUTE_MS

export async function startStaging({ program, serverUrl, template }: StagingOptions): Promise<Staging> {
  const name = `pennant_staging_${randomUUID().replaceAll('-', '')}`
  await asAdmin(serverUrl, `create database ${name} template ${template}`)
  const databaseUrl = withDatabase(serverUrl, name)
  const folder = await mkdtemp(join(tmpdir(), 'pennant-staging-'))
  await writeFile(
    join(folder, 'pennant.json'),
    JSON.stringify({ ...config, tokenKey: tokenKey.toString('base64'), startTime: Date.now() }),
  )
  const {
    tokens: [adminToken = '', ...organiserTokens],
    personLinks,
  } = await createAccounts(databaseUrl)

  const port = await findFreePort()
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PENNANT_CONFIG: join(folder, 'pennant.json'),
      PENNANT_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      HOST: '0.0.0.0',
      PORT: String(port),
      LOG_LEVEL: 'info',
    },
  })
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await asAdmin(serverUrl, `drop database if exists ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.race([
      (async () => {
        while (!log.includes('Pennant is ready')) await once(child.stdout, 'data')
      })(),
      ended.then(() => Promise.reject(new Error(`the server ended: ${log}`))),
      once(AbortSignal.timeout(START_LIMIT_MS), 'abort').then(() => Promise.reject(new Error(log))),
    ])
  } catch (error) {
    await stop()
    throw error
  }
  const url = `http://${outsideAddress()}:${port}`
  return { url, adminToken, organiserTokens, personLinks, log: () => log, [Symbol.asyncDispose]: stop }
}

/** Tokens of the admin, then of one organiser per permission, and links of two people in a team. */
async function createAccounts(url: string) {
  const db = await openDatabase({ url, maxPoolSize: 1, log: recordLog().log })
  const tokens = createTokens({ key: tokenKey, now: Date.now, loginTimeoutMs: HOUR_MS })
  try {
    const made: string[] = []
    for (const perms of [ALL_PERMISSIONS, ...Object.values(permissions)]) {
      const team = { name: `Organiser ${perms}`, email: `organiser-${perms}@ctf.example`, perms }
      const admin = await createTeamByHand({ db, ...team, division: 'open' })
      if ('collision' in admin) throw new Error(`${team.name} already exists`)
      // As the link of `pennant admin link`: owners need a second factor.
      made.push(perms === ALL_PERMISSIONS ? tokens.issueLocal(admin.id, HOUR_MS) : tokens.issueAuth(admin.id))
    }
    return { tokens: made, personLinks: await createPeople(db, tokens) }
  } finally {
    await db.close()
  }
}

async function createPeople(db: Database, tokens: Tokens): Promise<string[]> {
  const team = await createTeamByHand({
    db,
    name: 'People',
    email: 'people@ctf.example',
    perms: 0,
    division: 'open',
  })
  if ('collision' in team) throw new Error('the team of people already exists')
  const links: string[] = []
  for (const name of ['Ada', 'Ben']) {
    const link = await db.change(async (tx) => {
      const id = (await insertPerson(tx, { name, email: null })) ?? ''
      await placeInTeam(tx, { id, teamId: team.id, isCaptain: false, at: Date.now() })
      return await renewLink(tx, { tokens, now: Date.now, origin: 'http://staging.invalid' }, id)
    })
    links.push(link ?? '')
  }
  return links
}

/** The server trusts loopback as a proxy, so requests are sent to this machine's external address instead. */
function outsideAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
