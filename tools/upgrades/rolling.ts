import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { Client } from 'pg'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { asAdmin, withDatabase } from '../../server/test/database-admin.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { createApi, createOrganiser, isReady, runCommand, startServer, type ServerOptions } from './api.ts'
import { contestEnv, playContest, recordContest } from './contest.ts'
import { findLost, playLoad, type Load } from './load.ts'

const PROXY_FILE = join(import.meta.dirname, '../../deploy/proxies/haproxy.cfg')
const STAGE_MS = 4 * SECOND_MS
/** The proxy needs three failed checks to notice that a replica stops: docs/operate/proxies.md#restarts */
const SHUTDOWN_MS = 4 * SECOND_MS
const PROXY_LIMIT_MS = 20 * SECOND_MS

export interface Rolled extends Pick<Load, 'requests' | 'failures'> {
  readonly rows: number
  readonly seconds: number
  readonly lost: readonly string[]
  /** What `pennant verify` of the new version printed. */
  readonly verified: string
}

export interface RollingOptions {
  /** Programs. */
  readonly from: string
  readonly to: string
  readonly serverUrl: string
  /** How long each combination of versions is played. */
  readonly stageMs?: number
}

/**
 * Plays a rolling update of two replicas behind HAProxy: both old, both old on the migrated database, one new, both new.
 */
export async function rollOver(options: RollingOptions): Promise<Rolled> {
  const { from, to, serverUrl, stageMs = STAGE_MS } = options
  await using disposal = createDisposal()
  const database = `pennant_rolling_${process.pid}`
  await asAdmin(serverUrl, `create database ${database}`)
  disposal.defer(() => asAdmin(serverUrl, `drop database ${database} with (force)`))
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-rolling-'))
  disposal.defer(() => rm(dataDir, { recursive: true }))
  const url = withDatabase(serverUrl, database)
  const env = {
    ...contestEnv,
    DATABASE_URL: url,
    LOG_LEVEL: 'error',
    PENNANT_SHUTDOWN_DELAY: String(SHUTDOWN_MS),
    PENNANT_REGISTRATION_LIMIT_BURST: '1000000',
  }
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()] as const
  const replica = (program: string, port: number): ServerOptions => ({ program, port, dataDir, env })
  const first = await startServer(replica(from, ports[0]))
  disposal.defer(() => first[Symbol.asyncDispose]())
  const second = await startServer(replica(from, ports[1]))
  disposal.defer(() => second[Symbol.asyncDispose]())
  const proxy = await startProxy(ports)
  disposal.defer(proxy.stop)
  const api = createApi(proxy.url)
  const authToken = await createOrganiser(replica(from, 0))
  const cast = await playContest(api, authToken)

  const stop = new AbortController()
  const started = performance.now()
  const playing = playLoad({ url: proxy.url, api, stop: stop.signal }, authToken)
  await delay(stageMs)
  await runCommand(replica(to, 0), ['migrate'])
  await delay(stageMs)
  for (const [at, old] of [first, second].entries()) {
    await old.stop()
    const next = await startServer(replica(to, ports[at] ?? 0))
    disposal.defer(() => next[Symbol.asyncDispose]())
    await delay(stageMs)
  }
  stop.abort()
  const load = await playing
  const seconds = Math.round((performance.now() - started) / SECOND_MS)
  const lost = await findLost(api, load)
  await recordContest(proxy.url, api, { cast })
  const verified = await runCommand(replica(to, 0), ['verify', '--url', proxy.url])
  return { ...load, seconds, lost, verified, rows: await countRows(url) }
}

/** HAProxy as in deploy/proxies, without TLS. */
async function startProxy([first, second, front]: readonly [number, number, number]) {
  const sample = await readFile(PROXY_FILE, 'utf8')
  const part = (name: string) => new RegExp(`^${name}[^]*?(?=^[a-z]|(?![^]))`, 'm').exec(sample)?.[0] ?? ''
  const backends = (part('backend pennant') + part('backend files'))
    .replaceAll('# server second', 'server second')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${second}`)
  const frontend = part('frontend site').replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${front}`)
  const folder = await mkdtemp(join(tmpdir(), 'pennant-haproxy-'))
  const path = join(folder, 'haproxy.cfg')
  await writeFile(path, part('defaults') + frontend + backends)
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
  const url = `http://127.0.0.1:${front}`
  for (const end = Date.now() + PROXY_LIMIT_MS; !(await isReady(url)); await delay(50))
    if (child.exitCode !== null || Date.now() > end) throw new Error('haproxy does not work')
  return { url, stop }
}

async function countRows(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ n: string }>(`
      select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', tablename), false, true, '')))[1]::text::int) as n
      from pg_tables where schemaname = 'public'`)
    return Number(rows[0]?.n)
  } finally {
    await client.end()
  }
}
