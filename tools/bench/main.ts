import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startInstance, type Instance } from '../lib/instance.ts'
import { commitsPerSecond, databaseAddress } from './commits.ts'
import { fillContest, type Filled } from './fill.ts'
import { measureHostileClients } from './hostile.ts'
import { load } from './load.ts'
import { printRows, type Row } from './report.ts'
import { measureOverload } from './overload.ts'
import { measureSizes } from './sizes.ts'
import { measureStreams } from './streams.ts'

// Compares reads and submissions of a small contest with the machine's limits, in one run. Absolute figures
// on a shared machine vary by half from hour to hour; compare the ratios instead.

/** All teams register from this machine's address, so the limit is raised. */
const ENVIRONMENT = {
  LOG_LEVEL: 'warn',
  PENNANT_REGISTRATION_LIMIT_BURST: '1000',
  PENNANT_START_TIME: String(Date.now()),
}
const CONNECTIONS = 32
const SECONDS = 3
/** The embedded database allows 50 connections, of which the server may use 20. */
const COMMIT_CLIENTS = 24

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-bench-'))
  const port = await freePort()
  const plainPort = await freePort()
  const plainScript = fileURLToPath(new URL('plain-server.mjs', import.meta.url))
  const plain = spawn(process.execPath, [plainScript, String(plainPort)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(plain.stdout, 'data')
  try {
    await using instance = await startInstance({ dataDir, port, env: ENVIRONMENT })
    console.log('filling: 50 teams, 20 challenges, 300 solves …')
    const filled = await fillContest(instance)
    const rows = await readRows(instance, filled, `http://127.0.0.1:${plainPort}`)
    rows.push(...(await writeRows(instance, filled, databaseAddress(dataDir))))
    printRows(rows)
  } finally {
    plain.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function readRows({ url }: Instance, { token }: Filled, plainUrl: string): Promise<Row[]> {
  const authed = { authorization: `Bearer ${token}` }
  const reads: readonly [name: string, path: string, headers: Record<string, string>][] = [
    ['challs, V2, signed in', '/api/v2/challs', authed],
    ['challs, V2, anonymous', '/api/v2/challs', {}],
    ['leaderboard/now, 100 rows', '/api/v2/leaderboard/now?limit=100&offset=0', {}],
    ['leaderboard/with-graph', '/api/v2/leaderboard/with-graph?limit=100&offset=0', {}],
    ['leaderboard/challs', '/api/v2/leaderboard/challs', {}],
    ['challs/:id/solves', '/api/v2/challs/bench-0/solves?limit=100&offset=0', {}],
    ['users/me', '/api/v2/users/me', authed],
    ['client config', '/api/v2/integrations/client/config', {}],
  ]
  const rows: Row[] = []
  for (const [name, path, headers] of reads) {
    const body = await fetch(url + path, { headers: { ...headers, 'accept-encoding': 'identity' } })
    const size = (await body.arrayBuffer()).byteLength
    const ours = await load({ url: url + path, headers, connections: CONNECTIONS, seconds: SECONDS })
    const limit = await load({ url: `${plainUrl}/${size}`, connections: CONNECTIONS, seconds: SECONDS })
    rows.push({ name, ours, limit: limit.perSecond, limitName: `plain server, ${size} bytes` })
  }
  return rows
}

async function writeRows({ url }: Instance, filled: Filled, databaseUrl: string): Promise<Row[]> {
  const { perSecond, label } = await commitsPerSecond(databaseUrl, COMMIT_CLIENTS)
  const { openPairs } = filled
  const submit = (flag: (n: number) => string) => (n: number) => {
    // Each pair has its own rate limit bucket, so a complete round stays below the limit.
    const pair = openPairs[n % openPairs.length] ?? openPairs[0]
    if (!pair) throw new Error('no pairs to submit')
    return {
      path: `/api/v1/challs/${pair.challengeId}/submit`,
      body: JSON.stringify({ flag: flag(n) }),
      headers: { authorization: `Bearer ${pair.token}` },
    }
  }
  const common = {
    url,
    method: 'POST',
    connections: CONNECTIONS,
    headers: { 'content-type': 'application/json' },
  } as const
  const wrong = await load({
    ...common,
    requests: openPairs.length * 3,
    next: submit((n) => `flag{wrong ${n}}`),
  })
  const right = await load({
    ...common,
    requests: openPairs.length,
    next: submit((n) => `flag{${openPairs[n % openPairs.length]?.challengeId}}`),
  })
  return [
    {
      name: 'wrong flag (a durable audit row)',
      ours: { ...wrong, not2xx: 0 },
      limit: perSecond,
      limitName: label,
    },
    { name: 'right flag (a first solve)', ours: right, limit: perSecond, limitName: label },
  ]
}

if (process.argv.includes('--hostile')) await measureHostileClients()
else if (process.argv.includes('--streams')) await measureStreams()
else if (process.argv.includes('--overload')) await measureOverload()
else if (process.argv.includes('--sizes')) await measureSizes()
else await main()
