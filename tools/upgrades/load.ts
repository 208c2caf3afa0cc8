import { setTimeout as delay } from 'node:timers/promises'
import { at, listAt, type Api, type Reply, type Sent } from './api.ts'
import { CHALLENGES, flagOf } from './contest.ts'

// A light load: a few players and an organiser, who notice each response that is not what they expect.

export interface Load {
  readonly requests: { reads: number; writes: number; pages: number }
  /** `<time>: <request>: <what happened>`. */
  readonly failures: string[]
  /** Players whose every step was acknowledged, and what later reads must show. */
  readonly players: { readonly token: string; readonly name: string; readonly solves: readonly string[] }[]
  readonly announcements: string[]
  readonly renamed: { id: string; name: string } | null
}

const PAUSE_MS = 100
const PAGE_PAUSE_MS = 200
const MAX_FAILURES = 1_000
/** The list has at most a hundred. */
const SHOWN_NEWS = 50

interface Player {
  readonly url: string
  readonly api: Api
  readonly stop: AbortSignal
}

/** Plays until the signal, and returns when the requests of then are answered. */
export async function playLoad(world: Player, admin: string): Promise<Load> {
  const load = { requests: { reads: 0, writes: 0, pages: 0 }, failures: [], players: [], announcements: [] }
  const state = { ...load, renamed: null as Load['renamed'] }
  await Promise.all([
    ...[1, 2, 3].map((seat) => registerAndSolve(world, state, seat)),
    organise(world, state, admin),
    openPages(world, state),
  ])
  return state
}

type State = { -readonly [K in keyof Load]: Load[K] }

async function registerAndSolve(world: Player, state: State, seat: number): Promise<void> {
  for (let round = 0; !world.stop.aborted; round += 1) {
    const name = `Rolling ${seat} ${round}`
    const email = `rolling-${seat}-${round}@upgrade.example`
    const made = await write(world, state, {
      method: 'POST',
      path: '/api/v2/auth/register',
      body: { name, email },
    })
    const token = at(made?.data, 'authToken')
    if (typeof token !== 'string') continue
    const solves: string[] = []
    for (const { id } of CHALLENGES.slice(0, 1 + (round % CHALLENGES.length))) {
      const path = `/api/v1/challs/${id}/submit`
      await write(world, state, {
        method: 'POST',
        path,
        token,
        body: { flag: 'flag{wrong}' },
        other: 'badFlag',
      })
      if (await write(world, state, { method: 'POST', path, token, body: { flag: flagOf(id) } }))
        solves.push(id)
      await read(world, state, { path: '/api/v2/users/me', token })
      await read(world, state, { path: '/api/v2/challs', token })
      await delay(PAUSE_MS)
    }
    await write(world, state, {
      method: 'PATCH',
      path: '/api/v2/users/me',
      token,
      body: { countryCode: 'DE' },
    })
    state.players.push({ token, name, solves })
    await read(world, state, { path: '/api/v2/leaderboard/now?limit=100&offset=0' })
  }
}

/** Version by version, organisers edit the same rows. */
async function organise(world: Player, state: State, token: string): Promise<void> {
  for (let round = 0; !world.stop.aborted; round += 1) {
    const title = `News ${round}`
    const news = { title, content: 'Soon.', severity: 'info', pinned: false }
    const path = '/api/v2/admin/announcements'
    const posted = await write(world, state, {
      method: 'POST',
      path,
      token,
      body: { data: news },
      other: 'badEndpoint',
    })
    if (posted?.kind.startsWith('good')) state.announcements.push(title)
    const { id } = CHALLENGES[0]
    const name = `The warm-up ${round}`
    const edit = { method: 'PUT', path: `/api/v2/admin/challs/${id}`, token, body: { data: { name } } }
    if (await write(world, state, edit)) state.renamed = { id, name }
    await read(world, state, { path: '/api/v2/admin/challs', token })
    await read(world, state, { path: '/api/v2/admin/users?limit=20&offset=0', token })
    await delay(PAUSE_MS)
  }
}

/** As a browser does: a page, then what it refers to. */
async function openPages({ url, stop }: Player, state: State): Promise<void> {
  while (!stop.aborted) {
    const page = await open(state, `${url}/scores`, /^text\/html/)
    const files = [...(page?.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g) ?? [])].map(
      ([, path]) => path ?? '',
    )
    if (page !== null && files.length === 0) fail(state, 'GET /scores', 'has no scripts')
    for (const path of files)
      await open(state, url + path, path.endsWith('.js') ? /javascript/ : /^text\/css/)
    await delay(PAGE_PAUSE_MS)
  }
}

async function open(state: State, address: string, type: RegExp): Promise<string | null> {
  state.requests.pages += 1
  const path = new URL(address).pathname
  try {
    const response = await fetch(address)
    const text = await response.text()
    const found = response.headers.get('content-type') ?? ''
    if (response.ok && type.test(found)) return text
    fail(state, `GET ${path}`, `${response.status} ${found}`)
  } catch (error) {
    fail(state, `GET ${path}`, String(error instanceof Error ? (error.cause ?? error) : error))
  }
  return null
}

async function read(world: Player, state: State, sent: Omit<Request, 'method'>): Promise<void> {
  state.requests.reads += 1
  await send(world, state, { method: 'GET', ...sent })
}

async function write(world: Player, state: State, sent: Request): Promise<Reply | null> {
  state.requests.writes += 1
  return await send(world, state, sent)
}

interface Request extends Sent {
  readonly method: string
  readonly path: string
  /** The kind of a refusal that is expected. */
  readonly other?: string
}

/** Null for a failure. */
async function send({ api }: Player, state: State, request: Request): Promise<Reply | null> {
  const { method, path, other, ...sent } = request
  try {
    const reply = await api(method, path, sent)
    if (reply.kind.startsWith('good') || reply.kind === other) return reply
    fail(state, `${method} ${path}`, `${reply.status} ${JSON.stringify(reply)}`)
  } catch (error) {
    fail(state, `${method} ${path}`, String(error instanceof Error ? (error.cause ?? error) : error))
  }
  return null
}

function fail({ failures }: State, request: string, what: string): void {
  if (failures.length < MAX_FAILURES)
    failures.push(`${new Date().toISOString().slice(11, 23)} ${request}: ${what}`)
}

/** What an acknowledged write left behind and a later version does not show. */
export async function findLost(api: Api, load: Load): Promise<string[]> {
  const lost: string[] = []
  for (const { token, name, solves } of load.players) {
    const me = (await api('GET', '/api/v2/users/me', { token })).data
    if (at(me, 'name') !== name) lost.push(`team ${name}`)
    const shown = listAt(me, 'solves').map((solve) => at(solve, 'id'))
    lost.push(...solves.filter((id) => !shown.includes(id)).map((id) => `solve of ${id} by ${name}`))
  }
  const news = listAt((await api('GET', '/api/v2/announcements')).data, 'announcements')
  const titles = news.map((each) => at(each, 'title'))
  lost.push(...load.announcements.slice(-SHOWN_NEWS).filter((title) => !titles.includes(title)))
  const [player] = load.players
  if (load.renamed === null || !player) return lost
  const list = listAt((await api('GET', '/api/v2/challs', { token: player.token })).data, '')
  const { id, name } = load.renamed
  return list.some((each) => at(each, 'id') === id && at(each, 'name') === name)
    ? lost
    : [...lost, `name ${name}`]
}
