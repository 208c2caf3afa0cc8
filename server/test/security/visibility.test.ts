import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { readVerifyInfo } from '@pennant/contract/accounts.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { getStandingsFeed } from '@pennant/contract/extrank-export.ts'
import type { Route } from '@pennant/contract/route.ts'
import { openStream } from '@pennant/contract/stream.ts'
import {
  visibilityLevels,
  type Visibility,
  visibleParts,
  type VisiblePart,
  type VisibilitySettings,
} from '@pennant/contract/visibility.ts'
import type { WorldView } from '../../src/world/model.ts'
import { eventually } from '../eventually.ts'
import { startContest } from '../harness.ts'
import { readStream } from '../stream.ts'
import { plantedFor } from './closed-fields.ts'
import { addressesOf, read, readRoutes } from './crawl.ts'
import {
  actInTheSouth,
  marks,
  openClosedContest,
  scores,
  sees,
  setVisibility,
  type Caller,
  type ClosedContest,
} from './closed-contest.ts'

// The crawl of closed parts (docs/operate/closed-events.md): every kind of caller reads every address under every setting, and finds
// no text or number of a part that it may not see. Teams of one division read nothing that depends on another one. Each guard is
// needed: without it, the crawl finds something.

let closed: ClosedContest
const counts = { responses: 0, mutants: 0 }

beforeAll(async () => {
  closed = await openClosedContest()
}, 60_000)

afterAll(async () => {
  console.log(
    `${readRoutes.length} routes x ${closed.callers.length} callers x ${Object.keys(settings).length} settings, ` +
      `${counts.responses} responses, ${counts.mutants} mutants`,
  )
  await closed[Symbol.asyncDispose]()
})

const levels = visibilityLevels.filter((level) => level !== 'everyone')
const all = (level: Visibility): VisibilitySettings =>
  Object.fromEntries(visibleParts.map((part) => [part, level]))
const settings: Record<string, VisibilitySettings> = {
  'all open': {},
  ...Object.fromEntries(levels.map((level) => [`all: ${level}`, all(level)])),
  ...Object.fromEntries(
    visibleParts.flatMap((part) => levels.map((level) => [`${part}: ${level}`, { [part]: level }])),
  ),
}

interface Answer {
  readonly route: Route | null
  readonly address: string
  readonly status: number
  readonly text: string
}

const PAGES = ['/', '/challenges/one', '/scores', '/statistics']
const CRAWLER = { 'user-agent': 'Twitterbot/1.0' }

async function* crawlAs(caller: Caller, routes: readonly Route[] = readRoutes): AsyncGenerator<Answer> {
  const { contest, seeds, teams } = closed
  for (const route of routes) {
    for (const address of addressesOf(route, seeds)) {
      // Searches and rendered pages are rate limited.
      contest.clock.advance(1000)
      counts.responses += 1
      const { status, headers, text } = await read(contest, route, { address, token: caller.token })
      yield { route, address, status, text: `${text} ${headers.get('etag')}` }
    }
  }
  const authorization = caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }
  const others: [string, Record<string, string>][] = [
    [openStream.path, { 'last-event-id': caller.lastEventId, ...authorization }],
    ...[...PAGES, ...Object.values(teams).map(({ id }) => `/profile/${id}`)].map(
      (page): [string, Record<string, string>] => [page, CRAWLER],
    ),
  ]
  for (const [path, headers] of others) {
    counts.responses += 1
    const response = await fetch(contest.url + path, { headers })
    yield { route: null, address: `${path} again`, status: response.status, text: await response.text() }
  }
}

/** What the response says that the caller may not know. */
function leaksIn(
  caller: Caller,
  set: VisibilitySettings,
  { route, address, status, text }: Answer,
): string[] {
  // Permissions open these, or a key or token in the address.
  if (route?.perms !== undefined || route === getStandingsFeed || route === readVerifyInfo) return []
  // Crawlers have no token.
  const who =
    route === null && !address.startsWith('/api') ? { ...caller, perms: 0, team: undefined } : caller
  const may = (part: VisiblePart, team: 'a' | 'b') => {
    const seen = sees(who as Caller, part, set[part])
    return seen === 'own division' ? team === (who.team === 'b' ? 'b' : 'a') : seen
  }
  const leaks: string[] = []
  const check = (isAllowed: boolean, mark: string | RegExp) => {
    if (!isAllowed && text.search(mark) >= 0) leaks.push(`${who.name} at ${address}: ${String(mark)}`)
  }
  for (const mark of marks.challenges) check(Boolean(sees(who as Caller, 'challenges', set.challenges)), mark)
  for (const mark of marks.home) check(Boolean(sees(who as Caller, 'home', set.home)), mark)
  for (const team of ['a', 'b'] as const) {
    for (const { mark, isAllowed } of plantedFor(who as Caller, team, may('profiles', team)))
      check(isAllowed, mark)
    if (who.team === team) continue
    check(false, `${marks.person}${team}`)
    const [board, profile] = [may('scoreboard', team), may('profiles', team)]
    check(board || profile, new RegExp(`${marks.name}${team}`, 'i'))
    check(profile, `${marks.profile}${team}`)
    check(board && profile, `${marks.reason}${team}`)
    check(board, new RegExp(String.raw`\b${String(scores[team]).slice(0, 2)}\d{4}\b`))
  }
  const closedPart = route?.shows?.find((part) => !sees(caller, part, set[part]))
  const refused = caller.token === undefined ? status === 401 : status === 403
  // Another check may refuse it first.
  if (closedPart && status === 200) leaks.push(`${who.name} at ${address}: status ${status}`)
  if (closedPart && !refused && route?.auth === 'public') leaks.push(`${who.name} at ${address}: not refused`)
  if (!closedPart && text.startsWith('{"kind":"badVisibility"'))
    leaks.push(`${who.name} at ${address}: refused`)
  return leaks
}

async function leaksOf(
  caller: Caller,
  set: VisibilitySettings,
  routes?: readonly Route[],
): Promise<string[]> {
  const leaks: string[] = []
  for await (const answer of crawlAs(caller, routes)) leaks.push(...leaksIn(caller, set, answer))
  return leaks
}

const moveTo = (at: 'during' | 'after') => {
  const { clock, app } = closed.contest
  const { endTime } = app.stores.world()
  if (at === 'after' && clock.now() < endTime) clock.advance(endTime - clock.now() + HOUR_MS)
}

describe.each(Object.entries(settings))('%s', (_name, set) => {
  test('no caller reads what is not open to it', { timeout: 120_000 }, async () => {
    await setVisibility(closed, set)
    for (const caller of closed.callers) expect(await leaksOf(caller, set)).toEqual([])
  })
})

test('the crawl finds the marks of each part where all is open', { timeout: 60_000 }, async () => {
  await setVisibility(closed, {})
  const [anyone] = closed.callers
  const found = new Map<string, number>()
  for await (const { text } of crawlAs(anyone as Caller))
    for (const mark of [
      ...marks.challenges,
      ...marks.home,
      `${marks.name}b`,
      `${marks.profile}b`,
      `${marks.reason}b`,
      `${marks.answer}team-everyone-b`,
      `${marks.answer}person-everyone-a`,
    ])
      if (text.toLowerCase().includes(mark)) found.set(mark, (found.get(mark) ?? 0) + 1)
  for (const count of found.values()) expect(count).toBeGreaterThan(0)
  expect(found.size).toBe(9)
  const own = closed.callers.find(({ name }) => name === 'a team') as Caller
  let named = 0
  for await (const { text } of crawlAs(own)) named += Number(text.includes(`${marks.person}a`))
  expect(named).toBeGreaterThan(1)
})

test('the crawl finds the answers that only some callers may read', { timeout: 60_000 }, async () => {
  await setVisibility(closed, {})
  const found = new Map<string, Set<string>>()
  for (const caller of closed.callers)
    for await (const { route, text } of crawlAs(caller))
      for (const [mark] of route?.perms ? [] : text.matchAll(/k3pt-answer-\w+-(?:team|organisers)-\w/g))
        found.set(mark, (found.get(mark) ?? new Set()).add(caller.name))
  expect(Object.fromEntries([...found].map(([mark, names]) => [mark, [...names]]))).toEqual({
    [`${marks.answer}team-team-a`]: ['a team', 'a member', 'a captain'],
    [`${marks.answer}team-organisers-a`]: ['a team', 'a captain'],
    [`${marks.answer}person-team-a`]: ['a team', 'a member', 'a captain'],
    [`${marks.answer}person-organisers-a`]: ['a member'],
    [`${marks.answer}team-team-b`]: ['a team of another division', 'a member of another division'],
    [`${marks.answer}team-organisers-b`]: ['a team of another division'],
  })
})

/** What players write about a challenge that they name in the path or in the body. */
const writesAboutChallenges = allRoutes.filter(
  ({ method, auth, perms, path, body }: Route) =>
    method !== 'GET' &&
    auth === 'required' &&
    !perms &&
    (path.includes('/challs/:id') || 'challengeId' in shapeOf(body)),
)

function shapeOf(body: Route['body']): object {
  return (body as { readonly shape?: object } | undefined)?.shape ?? {}
}

test.each(['organisers', 'everyone'] as const)(
  'writes do not tell hidden and closed challenges from others (%s)',
  { timeout: 60_000 },
  async (level) => {
    await setVisibility(closed, { challenges: level })
    const { contest, teams } = closed
    const values = { flag: 'x', price: 0, inputs: {}, subject: 'x', content: 'x' }
    const send = async ({ method, path, body }: Route, id: string) => {
      contest.clock.advance(60_000)
      const wanted = Object.entries({ ...values, challengeId: id }).filter(([key]) => key in shapeOf(body))
      const response = await fetch(contest.url + path.replace(':id', id).replace(':hintId', 'none'), {
        method,
        headers: { authorization: `Bearer ${teams.a.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(Object.fromEntries(wanted)) }),
      })
      return `${response.status} ${await response.text()}`
    }
    expect(writesAboutChallenges.length).toBeGreaterThan(6)
    for (const route of writesAboutChallenges) {
      const none = await send(route, 'none')
      expect(await send(route, 'later'), route.path).toBe(none)
      if (level === 'organisers') expect(await send(route, 'one'), route.path).toBe(none)
      else expect(none, route.path).toContain('badChallenge')
    }
  },
)

describe('without a guard, the crawl finds something', () => {
  const guarded = readRoutes.filter(({ shows = [] }) => shows.length > 0)

  test.each(guarded.map((route) => [route.path, route] as const))(
    'without what %s declares',
    { timeout: 60_000 },
    async (path, route) => {
      if (path.includes('statistics')) moveTo('after')
      const set = all('organisers')
      await setVisibility(closed, set)
      // The compiled steps have the same list.
      const shows = route.shows as VisiblePart[]
      const declared = [...shows]
      const asDeclared = { ...route, shows: declared }
      shows.length = 0
      counts.mutants += 1
      try {
        const leaks: string[] = []
        for (const caller of closed.callers)
          for await (const answer of crawlAs(caller, [route]))
            leaks.push(...leaksIn(caller, set, answer.route ? { ...answer, route: asDeclared } : answer))
        expect(leaks).not.toEqual([])
      } finally {
        shows.push(...declared)
      }
    },
  )
})

describe('views', () => {
  /** Answers of a team, by address. */
  async function answersOf(caller: Caller): Promise<Map<string, string>> {
    const answers = new Map<string, string>()
    const routes = readRoutes.filter(({ perms, path }) => !perms && !/status|captcha/.test(path))
    for await (const { route, address, text } of crawlAs(caller, routes))
      if (route !== getStandingsFeed && !/stream|challenge\?|users\/me$/.test(address))
        answers.set(address, masked(text))
    return answers
  }
  /** Without the clock, and the time of the latest event, at which all graphs end. */
  const masked = (text: string) =>
    text
      .replaceAll(/"now":\d+/g, '"now":0')
      .replace(/"exportedAt": "[^"]*"/, '')
      .replaceAll(/(oints":\[)\{"time":\d+,"score":(\d+)\}(?:,\{"time":\d+,"score":\2\})*/g, '$1$2')
      .replace(/ "[\w+/=.-]+"$/, '')

  test('a division reads nothing that depends on another one', { timeout: 120_000 }, async () => {
    const set = { scoreboard: 'division', profiles: 'division', statistics: 'organisers' } as const
    await setVisibility(closed, set)
    const [, north] = closed.callers as [Caller, Caller]
    const before = await answersOf(north)
    await actInTheSouth(closed)
    const after = await answersOf(north)
    const differing = [...before.keys()].filter((address) => before.get(address) !== after.get(address))
    expect(differing.filter((address) => !/leaderboard\/at/.test(address))).toEqual([])
    expect(before.size).toBeGreaterThan(40)
  })

  /** Reads of the view of a division: each is needed by some path, or only keeps the view whole for paths to come. */
  const UNUSED = new Set([
    'teams',
    'findTeamByExtrankId',
    'findTeamByEmail',
    'challenges',
    'solve',
    'solvedMarks',
    'solvedAt',
    'solveCountOfTeam',
    'feedScoresOfTeam',
    'graph',
    'scoresAt',
    'hasSolved',
    'dynamicScore',
    'dynamicScores',
    'solvesKey',
  ])

  test('without a read of the view, the crawl finds something', { timeout: 240_000 }, async () => {
    const set = { scoreboard: 'division', profiles: 'division', challenges: 'signedIn' } as const
    await setVisibility(closed, set)
    const [, north] = closed.callers as [Caller, Caller]
    const actor = { id: closed.teams.a.id, perms: 0 }
    const { world } = closed.contest.app.stores.visibility.seenBy(actor)
    const view = world as unknown as Record<string, unknown>
    const names = Object.keys(view).filter((name) => typeof view[name] === 'function')
    const expected = await answersOf(north)
    const survivors: string[] = []
    for (const name of names) {
      const guard = view[name]
      delete view[name]
      counts.mutants += 1
      renewKeys(world, name)
      const answers = await answersOf(north)
      if ([...expected].every(([address, text]) => answers.get(address) === text)) survivors.push(name)
      view[name] = guard
    }
    renewKeys(world, '')
    expect(survivors.filter((name) => !UNUSED.has(name))).toEqual([])
  })

  /** Pages that were rendered with another set of guards must not answer. */
  function renewKeys(world: WorldView, suffix: string): void {
    const whole = Object.getPrototypeOf(world) as WorldView
    for (const name of ['boardKey', 'placesKey', 'settingsKey'] as const)
      Object.defineProperty(world, name, {
        get: () => `${whole[name]} without ${suffix}`,
        configurable: true,
      })
  }
})

test('open streams follow the settings at once', { timeout: 30_000 }, async () => {
  const { contest, teams } = closed
  await setVisibility(closed, { scoreboard: 'division' })
  const north = await readStream(contest.url, { token: teams.a.token })
  const south = await readStream(contest.url, { token: teams.b.token })
  const anyone = await readStream(contest.url)
  for (const stream of [north, south, anyone]) await stream.next('hello')
  await actInTheSouth(closed)
  await south.next('leaderboard', ({ rows }) =>
    rows.every((row: { division: string }) => row.division === 'south'),
  )
  await setVisibility(closed, { scoreboard: 'signedIn' })
  for (const stream of [north, south, anyone]) await stream.next('resync')
  // The first one that a division gets has all rows, even if they are as before.
  expect(JSON.stringify(north.events)).not.toContain('south')
  expect(north.events.filter(({ name }) => name === 'solves')).toEqual([])
  expect(anyone.events.filter(({ name }) => name === 'leaderboard' || name === 'solves')).toEqual([])
  await actInTheSouth(closed)
  await north.next('leaderboard')
  await setVisibility(closed, {})
  await anyone.next('resync')
  expect(JSON.stringify(anyone.events)).not.toContain('k3pt-name')
  for (const stream of [north, south, anyone]) stream.close()
})

test('another process follows the settings', { timeout: 60_000 }, async () => {
  await using replica = await startContest({ beside: closed.contest })
  const board = () => fetch(`${replica.url}/api/v2/leaderboard/now?limit=10&offset=0`)
  await setVisibility(closed, {})
  await eventually(async () => expect((await board()).status).toBe(200))
  const etag = (await board()).headers.get('etag') ?? ''
  await setVisibility(closed, all('signedIn'))
  await eventually(async () => expect((await board()).status).toBe(401))
  // A cache that asks whether its copy is current is refused.
  const again = await fetch(`${replica.url}/api/v2/leaderboard/now?limit=10&offset=0`, {
    headers: { 'if-none-match': etag },
  })
  expect(again.status).toBe(401)
})
