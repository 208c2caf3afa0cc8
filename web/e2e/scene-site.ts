import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { readStatus } from '@pennant/contract/status.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import { PHASES, type Phase } from '../../server/src/ops/demo/event.ts'
import { cookieOf, FAULTS_COOKIE, parseFaults, withFaults } from '../build/faults.ts'
import { translatePage } from './pseudo.ts'
import { openSceneContest, ROLES, sceneNow, type SceneContest } from './scene-contest.ts'
import { openPeopleContest, PEOPLE_ROLES } from './scene-people.ts'
import type { Scene } from './scenes.ts'

/** Real servers in each phase behind one address; the cookies of a browser choose the scene. */
export interface SceneSite extends AsyncDisposable {
  readonly url: string
  /** Chooses the state of the next page and returns its path. */
  prepare(page: Page, scene: Scene): Promise<string>
}

/** The phase of the contest, the viewer's role, and what differs from what the server responds. */
interface State {
  readonly phase: Phase
  readonly role: (typeof VIEWERS)[number]
  readonly isEmpty: boolean
  /** The contest in which people sign in. */
  readonly isOfPeople: boolean
  /** Words for the page and for the responses. */
  readonly changes: readonly string[]
  readonly faults: string
}

const VIEWERS = ['visitor', ...ROLES, ...PEOPLE_ROLES] as const
const CHANGES = ['archived', 'status:unknown', 'status:down', 'pseudo', 'rtl']
const CONTEST_COOKIE = 'contest'
const CHANGES_COOKIE = 'changes'
const TOKEN_COOKIE = 'token'

/** Any word that is neither a state nor a fault is an error, so that a page never shows another state than the requested one. */
function parseState(state: string): State {
  let parsed: State = {
    phase: 'live',
    role: 'visitor',
    isEmpty: false,
    isOfPeople: false,
    changes: [],
    faults: '',
  }
  const faults: string[] = []
  for (const word of state.split(',').filter(Boolean)) {
    const [name, value] = word.split(':')
    const phase = name === 'phase' && PHASES.find((each) => each === value)
    const role = name === 'role' && VIEWERS.find((each) => each === value)
    if (phase) parsed = { ...parsed, phase }
    else if (role) parsed = { ...parsed, role }
    else if (word === 'people') parsed = { ...parsed, isOfPeople: true }
    else if (word === 'empty') parsed = { ...parsed, isEmpty: true }
    else if (CHANGES.includes(word)) parsed = { ...parsed, changes: [...parsed.changes, word] }
    else faults.push(word)
  }
  parseFaults(faults.join(','))
  return { ...parsed, faults: faults.join(',') }
}

export async function openSceneSite(openDatabase?: () => Promise<TestDatabase>): Promise<SceneSite> {
  const disposal = createDisposal()
  const contests = new Map<string, Promise<SceneContest>>()
  const contestOf = ({ phase, isEmpty, isOfPeople }: State) => {
    const key = `${phase} ${isEmpty} ${isOfPeople}`
    const start = (): Promise<SceneContest> =>
      isOfPeople
        ? openPeopleContest({ now: sceneNow, openDatabase })
        : openSceneContest({ phase, isEmpty, openDatabase })
    const open = contests.get(key) ?? start()
    contests.set(key, open)
    return open
  }
  disposal.defer(async () => {
    const opened = await Promise.allSettled(contests.values())
    for (const each of opened) if (each.status === 'fulfilled') await each.value[Symbol.asyncDispose]()
  })
  const server = createServer((incoming, response) => {
    // Browsers read the time of the server from it.
    response.setHeader('date', new Date(sceneNow).toUTCString())
    void withFaults(incoming, response, () => pass(incoming, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  disposal.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async prepare(page, { path, state }) {
      const parsed = parseState(state)
      const { url: contestUrl, tokens, values } = await contestOf(parsed)
      const token = parsed.role === 'visitor' ? '' : tokens[parsed.role]
      if (token === undefined) throw new Error(`the contest has no ${parsed.role}`)
      const cookies = {
        [CONTEST_COOKIE]: contestUrl,
        [CHANGES_COOKIE]: parsed.changes.join(','),
        [FAULTS_COOKIE]: parsed.faults,
        [TOKEN_COOKIE]: token,
      }
      await page
        .context()
        .addCookies(
          Object.entries(cookies).map(([name, value]) => ({ name, value: encodeURIComponent(value), url })),
        )
      return path.replace(/:(\w+)/g, (word, name: string) => values[name] ?? word)
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

/** Pages of the context sign in, or out, as the cookies say. */
export async function followScenes(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (self !== top) return
    const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1]
    if (token === undefined) localStorage.removeItem('pennant.token')
    else localStorage.setItem('pennant.token', decodeURIComponent(token))
    if (!/changes=[^;]*rtl/.test(document.cookie)) return
    new MutationObserver(() => {
      if (document.documentElement) document.documentElement.dir = 'rtl'
    }).observe(document, { childList: true })
  })
  await context.addInitScript(
    `if (self === top && document.cookie.includes('pseudo')) (${translatePage.toString()})()`,
  )
}

/** Passes a request on to the contest of the browser's scene. */
function pass(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '/' } = incoming
  // A page that follows a stream is never idle.
  if (url === openStream.path) return void response.writeHead(404).end()
  const change = changeOf(url, cookieOf(incoming, CHANGES_COOKIE).split(','))
  const onward = request(new URL(url, cookieOf(incoming, CONTEST_COOKIE)), {
    method,
    headers: { ...headers, ...(change && { 'accept-encoding': 'identity', 'if-none-match': '' }) },
  })
  onward.on('response', (received) => {
    const { date: _now, ...passed } = received.headers
    // Other contests have the same addresses.
    if (url.startsWith('/api/')) passed['cache-control'] = 'no-store'
    if (!change || received.statusCode !== 200) {
      response.writeHead(received.statusCode ?? 502, passed)
      return void received.pipe(response)
    }
    delete passed['content-length']
    void text(received).then((body) => {
      const { data, ...envelope } = JSON.parse(body) as { data: object }
      response.writeHead(received.statusCode ?? 502, passed)
      response.end(JSON.stringify({ ...envelope, data: change(data) }))
    })
  })
  onward.on('error', () => response.destroy())
  incoming.pipe(onward)
}

const DOWN: Readonly<Record<string, string>> = {
  flags: 'down',
  scoreboard: 'degraded',
  stream: 'degraded',
  mail: 'unknown',
  ranking: 'down',
}

/** What a running server never responds: a static copy, and a service with parts that do not work. */
function changeOf(url: string, changes: readonly string[]): ((data: object) => object) | undefined {
  if (url === getClientConfigV2.path && changes.includes('archived'))
    return (data) => ({ ...data, isArchived: true })
  if (url !== readStatus.path) return undefined
  if (changes.includes('status:down'))
    return (data) => ({ ...data, components: withStates(data, DOWN), incidentsAt: sceneNow - HOUR_MS })
  if (!changes.includes('status:unknown')) return undefined
  const unknown = { adminBot: 'unknown', mail: 'unknown' }
  return (data) => ({ ...data, components: withStates(data, unknown), incidents: [], incidentsAt: null })
}

function withStates(data: object, states: Readonly<Record<string, string>>) {
  const { components } = data as { components: { name: string; state: string }[] }
  return components.map(({ name, state }) => ({ name, state: states[name] ?? state }))
}
