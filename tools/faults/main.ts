import { mkdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createClient } from '@pennant/contract/client.ts'
import { cleanUpOnExit, createCleanups, type Cleanups } from './cleanup.ts'
import { DATABASES, startDeployment, type Deployment, type DeploymentOptions } from './deployment.ts'
import { missingForFailover } from './failover-cluster.ts'
import { FAULTS, needsOf, reasonToSkip, type Fault } from './faults.ts'
import { checkLedger, countWrites, type Checked, type Ledger } from './ledger.ts'
import { countMissingUploads, PUSHED } from './organisers.ts'
import { hasPooler } from './pooled-database.ts'
import { startTraffic, type Seen } from './traffic.ts'
import { measureVendors, VENDOR_FAULTS, vendorHead, vendorLine } from './vendor-faults.ts'

// Breaks parts of a real deployment under load and checks that no acknowledged write is lost: docs/operate/faults.md.

/** Writes that each replica acknowledges before the fault, and after the recovery. */
const WRITES_AROUND = 40
/** Longest wait for a replica to acknowledge writes again. */
const RECOVERY_LIMIT_MS = 120_000
/** Replicas apply changes at most a second late without Redis, so the comparison is repeated. */
const VERIFY_ATTEMPTS = 5

interface Row extends Checked {
  readonly fault: string
  readonly rounds: number
  readonly acknowledged: number
  readonly readPauseMs: number
  readonly writePauseMs: number
  readonly backAfterMs: number
  readonly unavailable: { readonly reads: number; readonly writes: number }
  readonly errors: Readonly<Record<string, number>>
  /** Longest delay of the tool's own timers: a part of the pauses that no server caused. */
  readonly toolDelayMs: number
  readonly verified: string | null
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      faults: { type: 'string' },
      database: { type: 'string', default: 'embedded' },
      rounds: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
      logs: { type: 'string' },
    },
  })
  const known = [...Object.keys(FAULTS), ...VENDOR_FAULTS]
  const names = values.faults?.split(',') ?? known
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Known: ${known.join(', ')}.`)
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer.')

  const database = DATABASES.find((name) => name === values.database)
  if (database === undefined) throw new Error(`--database is one of ${DATABASES.join(', ')}.`)

  const missing = database === 'failover' ? missingForFailover() : []
  if (missing.length > 0) throw new Error(`--database failover: not installed: ${missing.join(', ')}`)
  if (database === 'pooled' && !hasPooler()) throw new Error('--database pooled: PgBouncer is not installed')

  await using cleanups = createCleanups()
  cleanUpOnExit(cleanups)
  const vendors = names.filter((name) => VENDOR_FAULTS.includes(name))
  const others = names.filter((name) => !vendors.includes(name))
  const { logs } = values
  if (logs !== undefined) await mkdir(logs, { recursive: true })
  const options = { rounds, isJson: values.json, logs }
  if (others.length > 0) await runFaults(others, { ...options, database }, cleanups)
  if (vendors.length > 0) await runVendorFaults(vendors, options, cleanups)
}

interface RunOptions {
  readonly rounds: number
  readonly isJson: boolean
  readonly logs: string | undefined
}

async function runVendorFaults(
  names: readonly string[],
  { rounds, isJson, logs }: RunOptions,
  cleanups: Cleanups,
): Promise<void> {
  if (!isJson) console.log(vendorHead())
  const { isBroken, ended } = await measureVendors({ names, rounds, logs }, cleanups, (row) =>
    console.log(isJson ? JSON.stringify(row) : vendorLine(row)),
  )
  for (const line of ended) console.error(line)
  if (isBroken || ended.length > 0) process.exitCode = 1
}

async function runFaults(
  names: readonly string[],
  { rounds, isJson, database, logs }: RunOptions & Pick<DeploymentOptions, 'database'>,
  cleanups: Cleanups,
): Promise<void> {
  const deployment = await startDeployment({ database, logs, ...needsOf(names) }, cleanups)
  const ledger: Ledger = {
    challengeIds: ['one', 'two', 'three'],
    teams: [],
    solves: [],
    wrong: [],
    pushes: [],
    uploads: [],
  }
  const adminToken = await addChallenges(deployment, ledger.challengeIds)
  const rows: Row[] = []
  for (const name of names) {
    const fault = FAULTS[name]
    const reason = reasonToSkip(name, deployment)
    if (reason !== null || !fault) {
      console.error(`${name}: skipped, ${reason}`)
      continue
    }
    const row = await measure(deployment, ledger, { name, fault, rounds, adminToken })
    if (!isJson) console.log(lineOf(row))
    rows.push(row)
  }
  if (isJson) console.log(JSON.stringify({ rows, ended: deployment.ended }))
  for (const line of deployment.ended) console.error(line)
  // Without them, the comparison would have nothing to find.
  if (ledger.pushes.length === 0 || ledger.uploads.length === 0)
    throw new Error('no score was pushed or no file uploaded')
  const isBroken = rows.some(
    (row) => row.lost > 0 || row.twice > 0 || row.verified !== null || Object.keys(row.errors).length > 0,
  )
  if (isBroken || deployment.ended.length > 0) process.exitCode = 1
}

async function addChallenges({ replicas, createAdmin }: Deployment, ids: readonly string[]): Promise<string> {
  const token = await createAdmin()
  const call = createClient({ baseUrl: replicas[0]?.url ?? '' })
  const source = { transport: 'webhook', secret: PUSHED.secret } as const
  const pushed = { scoring: { kind: 'dynamic', source } } as const
  for (const id of [...ids, PUSHED.id]) {
    const flags = [{ provider: 'flags/static', config: { flag: `flag{${id}}` } }]
    const text = { name: id, category: 'misc', author: 'faults', description: 'A challenge.' }
    const data = {
      ...text,
      flags,
      points: { min: 100, max: 500 },
      ...(id === PUSHED.id && pushed),
    }
    const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(saved.kind)
  }
  return token
}

interface Measurement {
  readonly name: string
  readonly fault: Fault
  readonly rounds: number
  readonly adminToken: string
}

async function measure(
  deployment: Deployment,
  ledger: Ledger,
  { name, fault, rounds, adminToken }: Measurement,
): Promise<Row> {
  const before = countWrites(ledger)
  let backAfterMs = 0
  let readPauseMs = 0
  let writePauseMs = 0
  const unavailable = { reads: 0, writes: 0 }
  const errors: Record<string, number> = {}
  const own = monitorEventLoopDelay({ resolution: 20 })
  own.enable()
  for (let round = 0; round < rounds; round++) {
    const traffic = startTraffic(deployment.replicas, ledger, adminToken)
    try {
      await untilWritten(traffic.seen, WRITES_AROUND)
      // Before the fault, the first requests of cold processes are slow.
      for (const { reads, writes } of traffic.seen) reads.longestMs = writes.longestMs = 0
      console.error(`${name}: round ${round + 1} of ${rounds}`)
      await fault(deployment, round)
      const back = performance.now()
      await untilWritten(traffic.seen, 1)
      backAfterMs = Math.max(backAfterMs, performance.now() - back)
      await untilWritten(traffic.seen, WRITES_AROUND)
    } finally {
      await traffic.stop()
    }
    for (const { reads, writes } of traffic.seen) {
      readPauseMs = Math.max(readPauseMs, reads.longestMs)
      writePauseMs = Math.max(writePauseMs, writes.longestMs)
    }
    unavailable.reads += traffic.unavailable.reads
    unavailable.writes += traffic.unavailable.writes
    for (const [text, count] of traffic.errors) errors[text] = (errors[text] ?? 0) + count
  }
  own.disable()
  const checked = await checkLedger(deployment.databaseUrl, ledger)
  const missingUploads = await countMissingUploads(deployment.replicas[0]?.url ?? '', ledger)
  const verified = await verifyRepeatedly(deployment)
  const acknowledged = countWrites(ledger) - before
  return {
    fault: name,
    rounds,
    acknowledged,
    ...checked,
    lost: checked.lost + missingUploads,
    readPauseMs,
    writePauseMs,
    backAfterMs,
    unavailable,
    errors,
    toolDelayMs: own.max / 1e6,
    verified,
  }
}

async function verifyRepeatedly({ verify }: Deployment): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const problem = await verify()
    if (problem === null || attempt === VERIFY_ATTEMPTS) return problem
    await delay(1_000)
  }
}

/** Waits until every replica has acknowledged this many more writes. */
async function untilWritten(seen: readonly Seen[], count: number): Promise<void> {
  const goals = seen.map(({ writes }) => ({ writes, goal: writes.count + count }))
  const deadline = performance.now() + RECOVERY_LIMIT_MS
  while (goals.some(({ writes, goal }) => writes.count < goal)) {
    if (performance.now() > deadline) throw new Error('a replica acknowledges no writes any more')
    await delay(5)
  }
}

const HEAD =
  'fault | rounds | writes acknowledged | lost | twice | read pause s | write pause s | back after s | 503 | other errors | tool delay s'
let isHeadPrinted = false

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

function lineOf(row: Row): string {
  const others = Object.entries(row.errors).map(([text, count]) => `${count} × ${text}`)
  const cells = [
    row.fault,
    row.rounds,
    row.acknowledged,
    row.lost,
    row.twice,
    seconds(row.readPauseMs),
    seconds(row.writePauseMs),
    seconds(row.backAfterMs),
    `${row.unavailable.reads} + ${row.unavailable.writes}`,
    others.join('; ') || 0,
    seconds(row.toolDelayMs),
  ]
  const head = isHeadPrinted ? '' : `| ${HEAD} |\n|${' --- |'.repeat(cells.length)}\n`
  isHeadPrinted = true
  return `${head}| ${cells.join(' | ')} |${row.verified === null ? '' : `\n${row.verified}`}`
}

await main()
