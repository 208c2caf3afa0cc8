import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { recoverV2, registerV2, verifyV2 } from '@pennant/contract/accounts.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { startInstance, stopInstance } from '@pennant/contract/instances.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { uploadFilesV1 } from '@pennant/contract/uploads.ts'
import type { Received } from './vendors.ts'

// What players and organisers do that needs a vendor, and reads and flags, which need none.

export const INSTANCE_CHALLENGE = 'instance'

export interface VendorLedger {
  readonly challengeIds: readonly string[]
  /** Addresses with an acknowledged registration, and those with an acknowledged recovery too. */
  readonly registered: string[]
  readonly recovered: string[]
  readonly uploads: { readonly url: string; readonly text: string }[]
  /** Acknowledged right flags. */
  solves: number
  wrong: number
}

export interface Player {
  readonly token: string
  readonly email: string
  /** Challenges that it has not solved. */
  readonly open: string[]
}

/** Operations of one kind. */
export interface Operations {
  /** Responses by kind. */
  readonly kinds: Map<string, number>
  longestMs: number
  /** When the last one succeeded, by `performance.now()`. */
  succeededAt: number
}

export type OperationName = 'reads' | 'flags' | 'registration' | 'recovery' | 'upload' | 'instance'

export interface VendorTraffic {
  readonly seen: Readonly<Record<OperationName, Operations>>
  /** The longest time between two successes since the last call. */
  pause(name: 'reads' | 'flags'): number
  resetPauses(): void
  stop(): Promise<void>
}

interface Site {
  readonly url: string
  readonly adminToken: string
  readonly players: readonly Player[]
  readonly received: Received
}

/** Clients of each kind: enough failures in a row for the circuit of a vendor that hangs. */
const CLIENTS = 4
const INTERVAL_MS = 250
const FLAG_INTERVAL_MS = 25
/** An address may recover twelve times a minute. */
const RECOVERY_INTERVAL_MS = 20_000
const REQUEST_LIMIT_MS = 60_000

let numbers = 0
let turns = 0

export function startVendorTraffic(site: Site, ledger: VendorLedger): VendorTraffic {
  const call = createClient({ baseUrl: site.url, fetch: limitedFetch })
  const seen = {
    reads: newOperations(),
    flags: newOperations(),
    registration: newOperations(),
    recovery: newOperations(),
    upload: newOperations(),
    instance: newOperations(),
  }
  const pauses = { reads: 0, flags: 0 }
  let isStopping = false

  async function repeat(name: OperationName, intervalMs: number, work: () => Promise<string>): Promise<void> {
    const operations = seen[name]
    while (!isStopping) {
      const startedAt = performance.now()
      const kind = await work().catch((error: unknown) => textOf(error))
      const now = performance.now()
      operations.longestMs = Math.max(operations.longestMs, now - startedAt)
      operations.kinds.set(kind, (operations.kinds.get(kind) ?? 0) + 1)
      if (kind.startsWith('good') || kind === 'badFlag') {
        if (name === 'reads' || name === 'flags')
          pauses[name] = Math.max(pauses[name], now - operations.succeededAt)
        operations.succeededAt = now
      }
      await delay(intervalMs)
    }
  }

  const clients = Array.from({ length: CLIENTS }, () => [
    repeat('registration', INTERVAL_MS, () => register(call, ledger)),
    repeat('recovery', RECOVERY_INTERVAL_MS, () => recover(call, ledger, nextOf(site.players))),
    repeat('upload', INTERVAL_MS, () => upload(call, ledger, site.adminToken)),
    repeat('instance', INTERVAL_MS, () => useInstance(call, nextOf(site.players))),
  ]).flat()
  const others = [0, 1].flatMap((own) => [
    repeat('reads', FLAG_INTERVAL_MS, async () => {
      const response = await limitedFetch(`${site.url}/api/v2/leaderboard/now?limit=100&offset=0`)
      return ((await response.json()) as { kind: string }).kind
    }),
    // Each has players of its own, so that no flag is submitted twice.
    repeat('flags', FLAG_INTERVAL_MS, () =>
      submit(
        call,
        ledger,
        site.players.find(({ open }, at) => at % 2 === own && open.length > 0),
      ),
    ),
  ])
  return {
    seen,
    pause: (name) => Math.max(pauses[name], performance.now() - seen[name].succeededAt),
    resetPauses: () => void (pauses.reads = pauses.flags = 0),
    async stop() {
      isStopping = true
      await Promise.all([...clients, ...others])
    },
  }
}

/** In turn over all rounds: an address gets ten mails per hour. */
function nextOf(players: readonly Player[]): Player | undefined {
  return players[turns++ % players.length]
}

function newOperations(): Operations {
  return { kinds: new Map(), longestMs: 0, succeededAt: performance.now() }
}

function limitedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) })
}

function textOf(error: unknown): string {
  return error instanceof Error ? String(error.cause ?? error.message) : String(error)
}

async function register(call: Client, ledger: VendorLedger): Promise<string> {
  const name = `newcomer ${++numbers}`
  const email = `newcomer-${numbers}@ctf.example`
  const { kind } = await call(registerV2, { body: { name, email, captchaCode: 'code' } })
  if (kind === 'goodVerifySent') ledger.registered.push(email)
  return kind
}

async function recover(call: Client, ledger: VendorLedger, player: Player | undefined): Promise<string> {
  if (!player) throw new Error('no player')
  const { kind } = await call(recoverV2, { body: { email: player.email, captchaCode: 'code' } })
  if (kind === 'goodVerifySent') ledger.recovered.push(player.email)
  return kind
}

async function upload(call: Client, ledger: VendorLedger, token: string): Promise<string> {
  const text = randomUUID()
  const data = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
  const stored = await call(uploadFilesV1, { token, body: { files: [{ name: `${text}.txt`, data }] } })
  if (stored.kind === 'goodFilesUpload') for (const { url } of stored.data) ledger.uploads.push({ url, text })
  return stored.kind
}

/** Starts the team's instance, and stops it again. */
async function useInstance(call: Client, player: Player | undefined): Promise<string> {
  if (!player) throw new Error('no player')
  const { token } = player
  const params = { id: INSTANCE_CHALLENGE }
  const started = await call(startInstance, { token, params, body: {} })
  if (started.kind !== 'goodInstanceStatus') return started.kind
  return (await call(stopInstance, { token, params })).kind
}

/** A wrong flag, or the right one of the next challenge. */
async function submit(call: Client, ledger: VendorLedger, player: Player | undefined): Promise<string> {
  const id = player?.open[0]
  if (!player || id === undefined) throw new Error('every challenge is solved')
  const { token } = player
  const wrong = await call(submitFlag, { token, params: { id }, body: { flag: `flag{wrong ${++numbers}}` } })
  if (wrong.kind !== 'badFlag') return wrong.kind
  ledger.wrong++
  const right = await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
  if (right.kind !== 'goodFlag') return right.kind
  player.open.shift()
  ledger.solves++
  return right.kind
}

/** Registers a team by mail, as a player does. */
export async function createPlayer(
  { url, received }: Pick<Site, 'url' | 'received'>,
  ledger: VendorLedger,
): Promise<Player> {
  const call = createClient({ baseUrl: url, fetch: limitedFetch })
  const name = `player ${++numbers}`
  const email = `player-${numbers}@ctf.example`
  const asked = await call(registerV2, { body: { name, email, captchaCode: 'code' } })
  if (asked.kind !== 'goodVerifySent') throw new Error(`register: ${asked.kind}`)
  ledger.registered.push(email)
  let link: string | undefined
  for (const until = performance.now() + REQUEST_LIMIT_MS; link === undefined; await delay(5)) {
    if (performance.now() > until) throw new Error('no mail arrived')
    link = received.mails.get(email)?.[0]
  }
  const verifyToken = new URL(link).searchParams.get('token') ?? ''
  const made = await call(verifyV2, { body: { verifyToken } })
  if (made.kind !== 'goodRegisterV2') throw new Error(`verify: ${made.kind}`)
  return { token: made.data.authToken, email, open: [...ledger.challengeIds] }
}
