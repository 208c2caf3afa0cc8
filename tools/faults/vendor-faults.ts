import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { createClient } from '@pennant/contract/client.ts'
import { Client } from 'pg'
import { temporaryFolder } from '../../server/test/folder.ts'
import type { Cleanups } from './cleanup.ts'
import { startDeployment, type Deployment } from './deployment.ts'
import { countMissingUploads } from './organisers.ts'
import {
  createPlayer,
  INSTANCE_CHALLENGE,
  startVendorTraffic,
  type OperationName,
  type VendorLedger,
  type VendorTraffic,
} from './vendor-traffic.ts'
import { MOODS, startVendors, type Mood, type Received, type VendorName, type Vendors } from './vendors.ts'

// Faults of the services that a deployment calls: docs/operate/faults.md#services.

/** Longer than every limit of a call but that of an object store. */
const BROKEN_MS = 15_000
const RECOVERY_LIMIT_MS = 120_000
/** Each solve is announced: at most 100 per challenge are. */
const PLAYERS = 90
const CHALLENGES = 100

/** What needs the vendor; null if only the worker does, in the background. */
const OPERATIONS: Readonly<Record<VendorName, OperationName | null>> = {
  mail: null,
  captcha: 'registration',
  bucket: 'upload',
  webhook: null,
  instancer: 'instance',
}
const VENDORS = Object.keys(OPERATIONS) as VendorName[]

/** Nothing is wrong with the mail server: the worker is killed with SIGKILL again and again while it sends. */
const KILLED = 'mail-killed'

export const VENDOR_FAULTS = [
  ...VENDORS.flatMap((vendor) => MOODS.map((mood) => `${vendor}-${mood}`)),
  KILLED,
]

export interface VendorRow {
  readonly fault: string
  readonly rounds: number
  readonly flags: number
  readonly readPauseMs: number
  readonly flagPauseMs: number
  readonly operation: string
  readonly longestMs: number
  /** Whether a circuit was open during the fault, in each round. */
  readonly opened: number
  readonly backAfterMs: number
  readonly mails: Counted
  readonly posts: Counted
  readonly missingUploads: number
  readonly errors: Readonly<Record<string, number>>
  readonly verified: string | null
}

interface Counted {
  readonly sent: number
  readonly lost: number
  readonly twice: number
}

interface Run {
  readonly deployment: Deployment
  readonly vendors: Vendors
  readonly ledger: VendorLedger
  traffic(): VendorTraffic
}

export interface VendorOptions {
  readonly names: readonly string[]
  readonly rounds: number
  readonly logs: string | undefined
}

export async function measureVendors(
  { names, rounds, logs }: VendorOptions,
  cleanups: Cleanups,
  report: (row: VendorRow) => void,
): Promise<{ readonly isBroken: boolean; readonly ended: readonly string[] }> {
  const vendors = await startVendors(cleanups)
  const folder = await temporaryFolder()
  await cleanups.add(async () => folder[Symbol.asyncDispose]())
  const file = join(folder.path, 'pennant.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify(vendors.config))
  const env = { PENNANT_CONFIG: file }
  const deployment = await startDeployment(
    { database: 'embedded', isSmallDisk: false, isRouted: false, env, logs },
    cleanups,
  )
  const url = deployment.replicas[0]?.url ?? ''
  const challengeIds = Array.from({ length: CHALLENGES }, (_, at) => `challenge-${at}`)
  const ledger: VendorLedger = {
    challengeIds,
    registered: [],
    recovered: [],
    uploads: [],
    solves: 0,
    wrong: 0,
  }
  const adminToken = await deployment.createAdmin()
  await addChallenges(url, adminToken, challengeIds)
  const { received } = vendors
  const players = await Promise.all(
    Array.from({ length: PLAYERS }, () => createPlayer({ url, received }, ledger)),
  )
  const traffic = () => startVendorTraffic({ url, adminToken, players, received }, ledger)
  let isBroken = false
  for (const name of names) {
    const row = await measure({ deployment, vendors, ledger, traffic }, name, rounds)
    const { mails, posts, missingUploads, verified } = row
    isBroken ||= mails.lost + posts.lost + missingUploads > 0 || verified !== null
    report(row)
  }
  return { isBroken, ended: deployment.ended }
}

async function addChallenges(url: string, token: string, ids: readonly string[]): Promise<void> {
  const call = createClient({ baseUrl: url })
  const text = { category: 'misc', author: 'faults', description: 'A challenge.' }
  const instancerConfig = {
    challengeIntegrationId: 'web-1',
    config: {},
    expose: [{ kind: 'http', hostPrefix: 'web', containerName: 'a', containerPort: 80, shouldDisplay: true }],
    timeoutMilliseconds: 600_000,
  } as const
  for (const id of [...ids, INSTANCE_CHALLENGE]) {
    const flags = [{ provider: 'flags/static', config: { flag: `flag{${id}}` } }]
    const more = id === INSTANCE_CHALLENGE ? { instancerConfig: instancerConfig as never } : {}
    const data = { ...text, ...more, name: id, flags, points: { min: 100, max: 500 } }
    const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`${id}: ${JSON.stringify(saved)}`)
  }
}

async function measure(run: Run, fault: string, rounds: number): Promise<VendorRow> {
  const [vendor, mood] = fault.split('-') as [VendorName, Mood]
  const { deployment, vendors, ledger } = run
  const before = ledger.solves + ledger.wrong
  const kinds = new Map<string, number>()
  const errors: Record<string, number> = {}
  let [readPauseMs, flagPauseMs, longestMs, backAfterMs, opened] = [0, 0, 0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const traffic = run.traffic()
    try {
      await untilAll(traffic)
      traffic.resetPauses()
      for (const each of Object.values(traffic.seen)) each.kinds.clear()
      if (fault === KILLED) await killRepeatedly(deployment)
      else {
        await vendors.all[vendor].setMood(mood)
        await delay(BROKEN_MS)
      }
      if (await hasOpenCircuit(deployment)) opened++
      readPauseMs = Math.max(readPauseMs, traffic.pause('reads'))
      flagPauseMs = Math.max(flagPauseMs, traffic.pause('flags'))
      const arrived = progressOf(vendor, traffic, vendors.received)
      await vendors.all[vendor].setMood('well')
      const healedAt = performance.now()
      await until(() => arrived(healedAt), 'the vendor is not used again')
      backAfterMs = Math.max(backAfterMs, performance.now() - healedAt)
    } finally {
      await vendors.all[vendor].setMood('well')
      await traffic.stop()
    }
    const operation = OPERATIONS[vendor]
    for (const [name, { kinds: all, longestMs: longest }] of Object.entries(traffic.seen))
      for (const [kind, count] of all) {
        if (name === operation) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
        else if (!kind.startsWith('good'))
          errors[`${name}: ${kind}`] = (errors[`${name}: ${kind}`] ?? 0) + count
        if (name === operation) longestMs = Math.max(longestMs, longest)
      }
  }
  await untilSent(deployment.databaseUrl)
  return {
    fault,
    rounds,
    flags: ledger.solves + ledger.wrong - before,
    readPauseMs,
    flagPauseMs,
    operation: Array.from(kinds, ([kind, count]) => `${count} ${kind}`).join(', '),
    longestMs,
    opened,
    backAfterMs,
    ...compare(ledger, vendors.received),
    missingUploads: await countMissingUploads(deployment.replicas[0]?.url ?? '', ledger),
    errors,
    verified: await deployment.verify(),
  }
}

async function killRepeatedly({ worker }: Deployment): Promise<void> {
  const end = performance.now() + BROKEN_MS
  while (performance.now() < end) {
    await worker.kill()
    await worker.start()
    // Long enough to send some mail.
    await delay(1_000)
  }
}

/** Whether the vendor was used after the moment: by a successful operation, or by a delivery. */
function progressOf(vendor: VendorName, traffic: VendorTraffic, received: Received) {
  const operation = OPERATIONS[vendor]
  if (operation) return (since: number) => traffic.seen[operation].succeededAt > since
  const count = () =>
    countAll(
      vendor === 'mail'
        ? [...received.mails.values()].map(({ length }) => length)
        : [...received.posts.values()],
    )
  const before = count()
  return () => count() > before
}

function countAll(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

async function untilAll({ seen }: VendorTraffic): Promise<void> {
  const startedAt = performance.now()
  await until(
    () => Object.values(seen).every(({ succeededAt }) => succeededAt > startedAt),
    `nothing works: ${JSON.stringify(Object.entries(seen).map(([name, { kinds }]) => [name, ...kinds]))}`,
  )
}

async function until(isDone: () => boolean, problem: string): Promise<void> {
  const deadline = performance.now() + RECOVERY_LIMIT_MS
  while (!isDone()) {
    if (performance.now() > deadline) throw new Error(problem)
    await delay(5)
  }
}

async function hasOpenCircuit({ replicas, worker }: Deployment): Promise<boolean> {
  const texts = await Promise.all(
    [...replicas, worker].map(async ({ url }) => await (await fetch(`${url}/metrics`)).text()),
  )
  return texts.some((text) => /^pennant_circuit_open\{.*\} 1$/m.test(text))
}

/** Waits until nothing is left in the outbox but what was given up. */
async function untilSent(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const deadline = performance.now() + RECOVERY_LIMIT_MS
    const left = async () =>
      (await client.query<{ count: number }>('select count(*)::int from outbox where failed_at is null'))
        .rows[0]?.count ?? 0
    while ((await left()) > 0) {
      if (performance.now() > deadline) throw new Error(`${await left()} messages are not sent`)
      await delay(50)
    }
  } finally {
    await client.end()
  }
}

/** A mail for each acknowledged registration and recovery, and a post for each right flag. */
export function compare({ registered, recovered, solves }: VendorLedger, { mails, posts }: Received) {
  const expected = new Map<string, number>()
  for (const address of [...registered, ...recovered]) expected.set(address, (expected.get(address) ?? 0) + 1)
  let [lost, twice] = [0, 0]
  for (const [address, count] of expected) {
    const arrived = mails.get(address)?.length ?? 0
    lost += Math.max(0, count - arrived)
    twice += Math.max(0, arrived - count)
  }
  return {
    mails: { sent: registered.length + recovered.length, lost, twice },
    posts: {
      sent: solves,
      lost: solves - posts.size,
      twice: countAll([...posts.values()]) - posts.size,
    },
  }
}

const HEAD =
  'fault | rounds | flags acknowledged | read pause s | flag pause s | operation | longest s | circuit opened | back after s | mails | lost | twice | posts | lost | twice | other errors'
const seconds = (ms: number) => (ms / 1000).toFixed(2)

export function vendorHead(): string {
  return `| ${HEAD} |\n|${' --- |'.repeat(HEAD.split('|').length)}`
}

export function vendorLine(row: VendorRow): string {
  const { mails, posts, errors, verified } = row
  const others = Object.entries(errors).map(([text, count]) => `${count} × ${text}`)
  const cells = [
    row.fault,
    row.rounds,
    row.flags,
    seconds(row.readPauseMs),
    seconds(row.flagPauseMs),
    row.operation || 'in the background',
    seconds(row.longestMs),
    `${row.opened} of ${row.rounds}`,
    seconds(row.backAfterMs),
    ...[mails, posts].flatMap(({ sent, lost, twice }) => [sent, lost, twice]),
    others.join('; ') || 0,
  ]
  const missing = row.missingUploads > 0 ? `\n${row.missingUploads} uploads are missing` : ''
  return `| ${cells.join(' | ')} |${missing}${verified === null ? '' : `\n${verified}`}`
}
