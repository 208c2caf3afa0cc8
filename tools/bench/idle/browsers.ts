import { connect } from 'node:net'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { openConnection } from '../generator/connection.ts'
import { requestBytes } from '../generator/plan.ts'

// Browsers that have a page open while nobody does anything, in a process of its own.

interface Poll {
  readonly path: string
  readonly everyMs: number
  readonly isAsTeam?: boolean
}

/** The stream, where no connection can stay open, of a tab that nobody uses: docs/reference/stream.md#polling */
const STREAM_POLL: Poll = { path: openStream.path, everyMs: 20 * SECOND_MS, isAsTeam: true }
/** What an open scoreboard reads again, although the stream covers most of it: docs/reference/site.md#live-stream */
const STREAMED: readonly Poll[] = [
  { path: '/api/v2/leaderboard/solves' },
  { path: '/api/v2/leaderboard/now?limit=25&offset=0&with=trend' },
  { path: '/api/v2/users/me', isAsTeam: true },
  { path: '/api/v2/leaderboard/challs' },
  { path: '/api/v2/challs' },
  { path: '/api/v2/leaderboard/graph?limit=10&offset=0&sample=fine' },
  { path: '/api/v2/messages', isAsTeam: true },
  { path: '/api/v2/announcements', isAsTeam: true },
].map((each) => ({ ...each, everyMs: 15 * MINUTE_MS }))
const CONFIGURATION: Poll = { path: '/api/v2/integrations/client/config', everyMs: 5 * MINUTE_MS }
const SPREAD = 0.2
/** Connections that are opened at the same time. */
const OPENING = 100
/** Addresses of this machine that connections start from. */
const LOCAL_ADDRESSES = 8

/** From the parent. The process sends `open` when all are there, and counts from the last message `count`. */
export interface Idlers {
  readonly url: string
  readonly count: number
  readonly kind: 'polling' | 'streaming'
  readonly tokens: readonly string[]
  /** Of the last entry of the change log: nothing happens meanwhile. */
  readonly position: string
}

export interface IdleCounts {
  readonly responses: number
  /** Responses without a body, because nothing has changed. */
  readonly unchanged: number
  /** Events and heartbeats. */
  readonly pieces: number
  readonly failed: number
  readonly cpuS: number
}

let counts = { responses: 0, unchanged: 0, pieces: 0, failed: 0 }
let cpu = process.cpuUsage()

/** Resolves when the browser has read everything once; then it has what it needs to ask whether something changed. */
function poll({ url, tokens, kind, position }: Idlers, number: number): Promise<void> {
  const to = new URL(url)
  const token = tokens[number % tokens.length] ?? ''
  const tags = new Map<string, string>()
  const polls = [...(kind === 'polling' ? [STREAM_POLL] : []), ...STREAMED, CONFIGURATION]
  const queue = [...polls]
  let loaded: (() => void) | null = null
  let current: Poll | undefined
  const connection = openConnection(
    to,
    {
      onResponse(status, head) {
        counts.responses += 1
        if (status === '304') counts.unchanged += 1
        else if (status !== '200') counts.failed += 1
        const [, tag] = /\r\netag: ([^\r]+)/i.exec(head) ?? []
        if (current && tag !== undefined) tags.set(current.path, tag)
        current = undefined
        sendNext()
      },
      onBroken() {
        counts.failed += 1
        current = undefined
        sendNext()
      },
    },
    `127.0.0.${2 + (number % LOCAL_ADDRESSES)}`,
  )

  function sendNext(): void {
    if (current) return
    current = queue.shift()
    if (!current) return loaded?.()
    const tag = tags.get(current.path)
    const headers = {
      'accept-encoding': 'br',
      ...(current.isAsTeam && { authorization: `Bearer ${token}` }),
      ...(current === STREAM_POLL && { 'last-event-id': position }),
      ...(tag !== undefined && { 'if-none-match': tag }),
    }
    connection.send(requestBytes({ path: current.path, headers }, to.host))
  }

  for (const each of polls) {
    const { everyMs } = each
    const again = (waitMs: number) =>
      setTimeout(() => {
        queue.push(each)
        sendNext()
        again(everyMs * (1 - SPREAD + 2 * SPREAD * Math.random()))
      }, waitMs)
    // Browsers came at different times.
    again(everyMs * Math.random())
  }
  return new Promise((resolve) => {
    loaded = resolve
    sendNext()
  })
}

function stream({ url, tokens }: Idlers, number: number): Promise<void> {
  const { hostname, port, host } = new URL(url)
  const token = tokens[number % tokens.length] ?? ''
  const localAddress = `127.0.0.${2 + (number % LOCAL_ADDRESSES)}`
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${token}`,
    // Streams are limited by address.
    'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
  }
  socket.write(requestBytes({ path: openStream.path, headers }, host))
  return new Promise((resolve) => {
    socket.once('data', (bytes) => {
      if (!bytes.includes('HTTP/1.1 200')) counts.failed += 1
      resolve()
    })
    socket.on('data', () => (counts.pieces += 1))
    socket.on('error', () => {})
    socket.once('close', () => {
      counts.failed += 1
      resolve()
    })
  })
}

async function open(idlers: Idlers): Promise<void> {
  let next = 0
  const openSome = async () => {
    while (next < idlers.count) {
      const number = next
      next += 1
      if (idlers.kind === 'streaming') await stream(idlers, number)
      await poll(idlers, number)
    }
  }
  await Promise.all(Array.from({ length: OPENING }, openSome))
  process.send?.('open')
}

if (process.send)
  process.on('message', (message: Idlers | 'count') => {
    if (message !== 'count') return void open(message)
    const { user, system } = process.cpuUsage(cpu)
    process.send?.({ ...counts, cpuS: (user + system) / 1e6 } satisfies IdleCounts)
    counts = { responses: 0, unchanged: 0, pieces: 0, failed: 0 }
    cpu = process.cpuUsage()
  })
