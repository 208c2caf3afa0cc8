import { createHash } from 'node:crypto'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { at, listAt, type Api, type Reply, type Sent } from './api.ts'

/** The configuration of every fixture. Its event outlives the releases that are tested with it. */
export const contestEnv = {
  PENNANT_CTF_NAME: 'Upgrade CTF',
  PENNANT_START_TIME: '2026-01-01T00:00:00Z',
  PENNANT_END_TIME: '2099-01-01T00:00:00Z',
  PENNANT_DIVISIONS: '{"open":"Open","students":"Students"}',
}

/** What a later release must still say. A release without the feature records null. */
export interface Recorded {
  readonly standings: readonly unknown[]
  /** Of the team whose token is in the fixture. */
  readonly team: { readonly name: unknown; readonly score: unknown; readonly solves: readonly unknown[] }
  readonly challenges: readonly unknown[]
  readonly file: { readonly path: string; readonly sha256: string }
  readonly avatar: { readonly path: string; readonly sha256: string } | null
  readonly settings: unknown
  readonly hints: readonly unknown[] | null
  readonly threads: readonly unknown[] | null
  readonly announcements: readonly unknown[] | null
  readonly adjustments: readonly unknown[] | null
  readonly waves: readonly unknown[] | null
  readonly incidents: readonly unknown[] | null
}

/** Auth tokens. */
export interface Cast {
  readonly admin: string
  readonly player: string
}

export const CHALLENGES = [
  { id: 'warm-up', points: { min: 100, max: 500 } },
  { id: 'middle', points: { min: 100, max: 500 } },
  { id: 'hard', points: { min: 300, max: 300 } },
] as const
/** The third team, which buys a hint, does not solve it. */
const HINTED = 'hard'
const TEAMS = ['Owls', 'Foxes', 'Bears', 'Owls & Co', 'Wolves', 'Lynx', 'Kestrel', 'Otter']
export const flagOf = (id: string) => `flag{${id}}`

/** A PNG of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Plays a contest through the API of a running server. What a release does not have yet is left out. */
export async function playContest(api: Api, admin: string): Promise<Cast> {
  const send = sender(api)
  await addChallenges(send, admin)
  const teams: string[] = []
  for (const [number, name] of TEAMS.entries()) teams.push(await register(send, name, number))
  const [player = '', , buyer = ''] = teams
  await solveAll(send, teams)
  const picture = new FormData()
  picture.append('avatar', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'a.png')
  await send('PATCH', '/api/v2/users/me/avatar', { token: player, form: picture })
  await organise(send, admin, { player, buyer })
  return { admin, player }
}

type Send = (method: string, path: string, sent: Sent) => Promise<Reply | null>

/** Returns null if the release does not have the route; throws for a refusal. */
function sender(api: Api): Send {
  return async (method, path, sent) => {
    const reply = await api(method, path, sent)
    if (reply.kind === 'badEndpoint') return null
    if (!reply.kind.startsWith('good'))
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply)}`)
    return reply
  }
}

async function addChallenges(send: Send, token: string): Promise<void> {
  const form = new FormData()
  form.append('files', new Blob([Buffer.from('read me first\n')]), 'readme.txt')
  const files = (await send('POST', '/api/v2/admin/upload', { token, form }))?.data
  for (const { id, points } of CHALLENGES) {
    const flags = [{ provider: 'flags/static', config: { flag: flagOf(id) } }]
    const texts = { name: `The ${id}`, category: 'misc', author: 'Ada', description: `Find \`${id}\`.` }
    const data = { ...texts, flags, points, files: id === 'warm-up' ? files : [] }
    await send('PUT', `/api/v2/admin/challs/${id}`, { token, body: { data } })
  }
}

async function register(send: Send, name: string, number: number): Promise<string> {
  const body = { name, email: `team${number}@upgrade.example` }
  const reply = await send('POST', '/api/v2/auth/register', { body })
  const token = String(at(reply?.data, 'authToken'))
  const division = number % 2 === 0 ? 'open' : 'students'
  await send('PATCH', '/api/v2/users/me', { token, body: { division, countryCode: 'DE' } })
  return token
}

/** The first two teams solve all, the last two nothing. */
async function solveAll(send: Send, teams: readonly string[]): Promise<void> {
  for (const [number, token] of teams.entries())
    for (const { id } of CHALLENGES.slice(0, Math.max(0, 3 - Math.floor(number / 2))))
      await send('POST', `/api/v1/challs/${id}/submit`, { token, body: { flag: flagOf(id) } })
}

/** Everything that organisers do, and what a team says to them. */
async function organise(
  send: Send,
  token: string,
  { player, buyer }: { readonly player: string; readonly buyer: string },
): Promise<void> {
  const data = { ctfName: 'Upgrade CTF, renamed', homeContent: '# Welcome\n\nStill **here**.' }
  await send('PUT', '/api/v2/admin/settings', { token, body: { data } })
  const news = { title: 'Doors are open', content: 'Good luck.', severity: 'info', pinned: true }
  await send('POST', '/api/v2/admin/announcements', { token, body: { data: news } })
  await sellHints(send, token, buyer)
  await talk(send, token, player)
  const team = await send('GET', '/api/v2/users/me', { token: buyer })
  const award = { userId: at(team?.data, 'id'), points: -25, reason: 'Shared a flag' }
  await send('POST', '/api/v2/admin/adjustments', { token, body: { data: award } })
  const openAt = Date.UTC(2098, 0) + HOUR_MS
  const wave = { name: 'Finale', openAt, announce: true, countdown: true, challengeIds: [] }
  await send('POST', '/api/v2/admin/waves', { token, body: { data: wave } })
  const incident = {
    title: 'Slow',
    severity: 'minor',
    components: ['instances'],
    state: 'monitoring',
    text: 'Soon.',
  }
  await send('POST', '/api/v2/admin/incidents', { token, body: incident })
}

async function sellHints(send: Send, token: string, buyer: string): Promise<void> {
  for (const price of [0, 30]) {
    const data = { text: `Hint for ${price}.`, price, release: { kind: 'after', minutes: 0 } }
    const made = await send('POST', `/api/v2/admin/challs/${HINTED}/hints`, { token, body: { data } })
    if (made === null || price === 0) continue
    const path = `/api/v2/challs/${HINTED}/hints/${at(made.data, 'hint.id')}/purchase`
    await send('POST', path, { token: buyer, body: { price } })
  }
}

async function talk(send: Send, token: string, player: string): Promise<void> {
  const question = { subject: 'Is scanning allowed?', content: 'We would like to run `nmap`.' }
  const sent = await send('POST', '/api/v2/messages', { token: player, body: question })
  if (sent === null) return
  const path = `/api/v2/admin/messages/${at(sent.data, 'thread.id')}`
  const thread = await send('GET', path, { token })
  const data = { content: 'No.', version: at(thread?.data, 'thread.version') }
  await send('POST', path, { token, body: { data } })
}

/** Reads what a later release must still say. `known` are paths of files that the earlier release served. */
export async function recordContest(
  url: string,
  api: Api,
  { cast, known }: { readonly cast: Cast; readonly known?: Pick<Recorded, 'file' | 'avatar'> },
): Promise<Recorded> {
  const { admin, player } = cast
  const read = async (path: string, token?: string) => {
    const reply = await api('GET', path, token === undefined ? {} : { token })
    return reply.kind.startsWith('good') ? reply.data : null
  }
  const board = listAt(await read('/api/v2/leaderboard/now?limit=100&offset=0'), 'leaderboard')
  const me = await read('/api/v2/users/me', player)
  const challenges = listAt(await read('/api/v2/challs', player), '')
  const warmUp = challenges.find((each) => at(each, 'id') === 'warm-up')
  const file = String(known?.file.path ?? at(warmUp, 'files.0.url'))
  const avatar = known ? known.avatar?.path : at(me, 'avatarUrl')
  return {
    standings: board.map(only('id', 'name', 'score', 'division', 'divisionPlace', 'globalPlace')),
    team: {
      name: at(me, 'name'),
      score: at(me, 'score'),
      solves: listAt(me, 'solves').map((solve) => at(solve, 'id')),
    },
    challenges: challenges.map(only('id', 'name', 'points', 'solves', 'description')),
    file: { path: file, sha256: await digestOf(url, file) },
    avatar: typeof avatar === 'string' ? { path: avatar, sha256: await digestOf(url, avatar) } : null,
    settings: await read('/api/v2/integrations/client/config').then(
      only('ctfName', 'homeContent', 'divisions'),
    ),
    hints: rows(await read(`/api/v2/admin/challs/${HINTED}/hints`, admin), 'hints', 'id', 'price', 'text'),
    threads: rows(await read('/api/v2/messages', player), 'threads', 'id', 'subject'),
    announcements: rows(await read('/api/v2/announcements'), 'announcements', 'id', 'title', 'content'),
    adjustments: rows(
      await read('/api/v2/admin/adjustments?limit=100&offset=0', admin),
      'adjustments',
      'id',
      'points',
      'reason',
    ),
    waves: rows(await read('/api/v2/admin/waves', admin), 'waves', 'id', 'name', 'openAt'),
    incidents: rows(await read('/api/v2/status'), 'incidents', 'id', 'title'),
  }
}

function rows(data: unknown, path: string, ...names: string[]): unknown[] | null {
  return data === null ? null : listAt(data, path).map(only(...names))
}

function only(...names: string[]) {
  return (value: unknown) => Object.fromEntries(names.map((name) => [name, at(value, name)]))
}

async function digestOf(url: string, path: string): Promise<string> {
  const response = await fetch(new URL(path, url))
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex')
}
