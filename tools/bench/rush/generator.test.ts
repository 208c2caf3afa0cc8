import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runRush } from './generator.ts'
import type { RushPlan, RushPlay, ScriptStep, StepName } from './plan.ts'
import { requestOf } from './script.ts'

interface Seen {
  readonly line: string
  readonly team: string | undefined
  readonly body: string
  readonly port: number | undefined
}

const teams = ['a', 'b'].map((name, n) => ({
  id: `id-${name}`,
  token: `token-${name}`,
  loginToken: `login-${name}`,
  address: `10.0.0.${n + 1}`,
}))

function stepOf(name: StepName, ...lines: string[]): ScriptStep {
  return { name, requests: lines.map(requestOf) }
}

async function play(plan: Partial<RushPlan>, respond: (request: IncomingMessage) => number | string) {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const team = request.headers.authorization ?? String(request.headers['x-forwarded-for'])
      const line = `${request.method} ${request.url}`
      seen.push({ line, team, body, port: request.socket.remotePort })
      const status = respond(request)
      if (typeof status === 'string') response.writeHead(503, { 'retry-after': status, 'content-length': 0 })
      else response.writeHead(status, { 'content-length': 2 }).write('{}')
      response.end()
    })
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const base = { encoding: 'br', browsers: 2, arrivalsPerS: 1000, teams, pauseMs: 1, play: null }
    const opening = [stepOf('open', 'GET /')]
    const result = await runRush({ ...base, opening, challengeIds: ['one'], files: ['/f'], ...plan, url })
    return { seen, result }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('each browser plays the steps in order, on one connection, as its team', async () => {
  const opening = [
    stepOf('open', 'GET /', 'GET /api/x'),
    stepOf('sign in', 'POST /login', 'GET /me/:team as team'),
    stepOf('file', 'GET :file'),
  ]
  const { seen, result } = await play({ opening }, () => 200)
  const ports = [...new Set(seen.map(({ port }) => port))]
  expect(ports).toHaveLength(2)
  const lines = ports.map((port) => seen.filter((each) => each.port === port))
  for (const [n, each] of lines
    .toSorted((one, other) => (one[0]?.team ?? '').localeCompare(other[0]?.team ?? ''))
    .entries()) {
    const { id, token, loginToken, address } = teams[n] ?? teams[0] ?? expect.fail()
    expect(each.map(({ line, team }) => [line, team])).toEqual([
      ['GET /', address],
      ['GET /api/x', address],
      ['POST /login', address],
      [`GET /me/${id}`, `Bearer ${token}`],
      ['GET /f', address],
    ])
    expect(JSON.parse(each[2]?.body ?? '')).toEqual({ teamToken: loginToken })
  }
  expect(result.all).toMatchObject({ count: 10, refused: 0, failed: 0 })
  expect(result.steps.map(({ name, count }) => [name, count])).toEqual([
    ['open', 4],
    ['sign in', 4],
    ['file', 2],
  ])
  expect(result.unfinished).toBe(0)
})

test('a refused request is sent again when the response says so, and failures are counted by kind', async () => {
  let asked = 0
  const opening = [stepOf('open', 'GET /busy', 'GET /missing')]
  const { result } = await play({ browsers: 1, opening }, ({ url }) => {
    if (url === '/missing') return 404
    asked += 1
    return asked === 1 ? '0' : 200
  })
  expect(result.all).toMatchObject({ count: 2, refused: 1, failed: 1 })
  expect(result.failures).toEqual({ 'open: status 404': 1 })
})

test('one browser of each team submits flags, and all read what a wave released', async () => {
  const rush: RushPlay = {
    wrong: stepOf('wrong flag', 'POST /:challenge as team'),
    right: stepOf('right flag', 'POST /:challenge as team', 'GET /after as team'),
    wave: stepOf('wave', 'GET /challs'),
    wavesMs: [50],
    waveSpreadMs: 5,
    flagEveryMs: 10,
    wrongShare: 0.5,
    untilMs: 400,
  }
  const ids = Array.from({ length: 500 }, (_, n) => `c${n}`)
  const { seen, result } = await play({ browsers: 4, challengeIds: ids, play: rush }, ({ method }) =>
    method === 'GET' ? 200 : 401,
  )
  expect(seen.filter(({ line }) => line === 'GET /challs')).toHaveLength(4)
  const flags = seen.filter(({ line }) => line.startsWith('POST'))
  expect(new Set(flags.map(({ team }) => team))).toEqual(new Set(['Bearer token-a', 'Bearer token-b']))
  const count = (name: StepName) => result.steps.find((step) => step.name === name)
  // A wrong flag may be answered with 401, a right one may not.
  expect(count('wrong flag')).toMatchObject({ failed: 0 })
  expect(count('right flag')?.failed).toBeGreaterThan(0)
})
