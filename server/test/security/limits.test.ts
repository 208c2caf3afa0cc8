import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { recoverV2, registerV2 } from '@pennant/contract/accounts.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { limitOf, type LimitName } from '@pennant/contract/limits.ts'
import { DAY_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { CEREMONY_TEAMS } from '@pennant/contract/replay.ts'
import type { Route } from '@pennant/contract/route.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newApiToken } from '../../src/features/people/api-tokens/secret.ts'
import { secretHash } from '../../src/lib/secret-hash.ts'
import { addBotChallenge, botConfig, botSecret } from '../bot-contest.ts'
import { putChallenge, putTracks } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { teamless } from '../people.ts'
import { settleOutbox, withMail } from '../mail.ts'
import { putDynamic } from '../pushes.ts'
import { bodyIn, checkResponse } from '../strict.ts'

// Exceeds every limit of contract/src/limits.ts on every route that uses it.

const proxy = { trust: ['loopback'] }
let contest: Contest
beforeAll(async () => {
  contest = await startContest({ config: { ...botConfig, ...withMail, proxy } })
  await putChallenge(contest.db, challengeRow('web'))
  await putDynamic(contest, 'live')
  await addBotChallenge(contest, 'xss')
  await putTracks(contest.db)
})
// Refills the buckets that all callers share.
beforeEach(() => contest.clock.advance(60_000))
afterAll(() => contest[Symbol.asyncDispose]())

interface Caller {
  readonly member: Member
  readonly person: Member
  readonly address: string
}

let callers = 0

async function newCaller(): Promise<Caller> {
  callers += 1
  const person = await teamless(contest, { lifeMs: 1000 * DAY_MS })
  return { person, member: await contest.admin(), address: `10.9.${callers >> 8}.${callers & 255}` }
}

interface Content {
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: FormData
}

/** Sends a request and returns the kind of the response, which must be one that the route declares. */
async function kindOf(route: Route, caller: Caller, content: Content = {}): Promise<string> {
  const { id = 'x', query = {}, body, form } = content
  const params = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', id]))
  const { id: teamId } = caller.member
  // A new token each time, because signing out everywhere invalidates earlier ones.
  const own = contest.app.stores.tokens.issueAuth(teamId, contest.world().team(teamId)?.tokensValidFrom)
  const token = route.auth === 'service' ? botSecret : route.auth === 'person' ? caller.person.token : own
  const response = await fetch(contest.url + addressOf(route, { params, query }), {
    method: route.method,
    headers: {
      ...(route.auth === 'public' ? {} : { authorization: `Bearer ${token}` }),
      'x-forwarded-for': caller.address,
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  })
  const text = await response.text()
  const result = bodyIn(route, response, text)
  checkResponse(route, response, result)
  return route.text
    ? String(response.status)
    : ((result as { kind?: string } | undefined)?.kind ?? 'unwrapped')
}

const LIMITED = /^(?:badRateLimit|429)$/

/**
 * Leaves this many tokens in a bucket. Takes them directly from the store, because thousands of requests per
 * route would be slow.
 */
async function drain(name: LimitName, key: string, left: number): Promise<void> {
  const { limiter } = contest.app.stores
  for (let taken = left; taken < limitOf(name).burst; taken += 1) {
    expect(await limiter.take(name, key), `${name} of ${key}`).toBeNull()
  }
}

const pairs = allRoutes.flatMap((route) =>
  route.limits.map((name) => [name, `${route.method} ${route.path}`, route] as const),
)
const actions = allRoutes.flatMap((route: Route) =>
  (route.handlerLimits ?? []).map((name) => [name, `${route.method} ${route.path}`, route] as const),
)

describe('request limits', () => {
  const KEYS: Readonly<Record<string, (caller: Caller) => string>> = {
    address: ({ address }) => address,
    team: ({ member }) => member.id,
    person: ({ person }) => person.id,
    'worker key': () => 'all',
  }

  test.each(pairs)('%s apply at %s', async (name, _route, route) => {
    const { key, windowMs } = limitOf(name)
    const [caller, other] = [await newCaller(), await newCaller()]
    await drain(name, KEYS[key]?.(caller) ?? '', 2)
    expect(await kindOf(route, caller)).not.toMatch(LIMITED)
    expect(await kindOf(route, caller)).not.toMatch(LIMITED)
    expect(await kindOf(route, caller)).toMatch(LIMITED)
    if (key !== 'worker key') expect(await kindOf(route, other)).not.toMatch(LIMITED)
    contest.clock.advance(windowMs)
    expect(await kindOf(route, caller)).not.toMatch(LIMITED)
  })
})

let counter = 0
const unique = () => `unique ${++counter}`

interface Action {
  /** The bucket's key, as the endpoint builds it. */
  readonly key: (caller: Caller, id: string) => string
  /** A valid request that takes one token. */
  readonly content: (caller: Caller, route: Route) => Content
}

const teamAndChallenge = ({ member }: Caller, id: string) => `${member.id}:${id}`
const ofTeam = ({ member }: Caller) => member.id
const ofAddress = ({ address }: Caller) => address
const mailbox = ({ member }: Caller) => `${member.id}@mail.example`

/** Requests two rows from an offset that no other request uses, so that no cache has the page. */
function oddPage(route: Route): Content {
  const id = route.path.endsWith('/scores') ? 'live' : 'web'
  // Version 1 of the graph has no offset, so only the page sizes differ.
  if (route.path === '/api/v1/leaderboard/graph') return { query: { limit: String(2 + (++counter % 8)) } }
  return { id, query: { limit: '2', offset: String(++counter * 3 + 1) } }
}

function emptyForm(): FormData {
  const form = new FormData()
  form.append('captchaCode', 'none')
  return form
}

/** One device code for each caller. */
const deviceCodes = new Map<string, string>()
function deviceCodeOf({ address }: Caller): string {
  const known = deviceCodes.get(address)
  if (known !== undefined) return known
  const made = newApiToken()
  deviceCodes.set(address, made)
  return made
}

const ACTIONS: Readonly<Partial<Record<LimitName, Action>>> = {
  flagSubmissions: { key: teamAndChallenge, content: () => ({ id: 'web', body: { flag: 'wrong' } }) },
  botJobs: { key: teamAndChallenge, content: () => ({ id: 'xss', body: { inputs: { url: 'no' } } }) },
  profileNames: { key: ofTeam, content: () => ({ body: { name: unique() } }) },
  accountChanges: { key: ofTeam, content: () => ({ body: { name: unique() } }) },
  avatarChanges: { key: ofTeam, content: () => ({ form: emptyForm() }) },
  mailsToAddress: {
    key: mailbox,
    content: (caller, { path }) =>
      path.endsWith('/register')
        ? { body: { name: unique(), email: mailbox(caller) } }
        : { body: { email: mailbox(caller) } },
  },
  devicePolls: {
    key: (caller) => secretHash(deviceCodeOf(caller)).toString('hex'),
    content: (caller) => ({ body: { deviceCode: deviceCodeOf(caller) } }),
  },
  leaderboardSearches: {
    key: ofAddress,
    content: () => ({ query: { limit: '10', offset: '0', search: unique() } }),
  },
  pageRenders: { key: ofAddress, content: (_caller, route) => oddContent(route) },
}

function oddContent(route: Route): Content {
  // Only sets of tracks that few ask for are limited.
  if (/leaderboard\/(?:challs|solves)$/.test(route.path)) return { query: { track: 'human,agent' } }
  return /ceremony|leaderboard\/at/.test(route.path) ? oddReplay(route) : oddPage(route)
}

/** A page of earlier standings, or a ceremony, that is not in the cache. */
function oddReplay({ path }: Route) {
  const odd = ++counter
  if (!path.includes('ceremony'))
    return { query: { limit: '10', offset: String(odd), time: String(FIRST_INSTANT) } }
  return {
    query: {
      limit: String((odd % CEREMONY_TEAMS) + 1),
      from: String(FIRST_INSTANT),
      until: String(FIRST_INSTANT + MINUTE_MS),
    },
  }
}

describe('action limits', () => {
  // A recovery and a sign-in by mail respond as usual: a test below, and that of the links, cover them.
  const refused = actions.filter(
    ([name, route]) => name !== 'mailsToAddress' || !/recover|people\/sign-in/.test(route),
  )

  test.each(refused)('%s apply at %s', async (name, _route, route) => {
    const action = ACTIONS[name]
    if (!action) throw new Error(`no request takes ${name}`)
    const caller = await newCaller()
    const ask = async (by = caller) => await kindOf(route, by, action.content(by, route))
    await drain(name, action.key(caller, action.content(caller, route).id ?? ''), 1)
    expect(await ask()).not.toMatch(LIMITED)
    expect(await ask()).toMatch(LIMITED)
    expect(await ask(await newCaller())).not.toMatch(LIMITED)
    contest.clock.advance(limitOf(name).windowMs)
    expect(await ask()).not.toMatch(LIMITED)
  })

  test("recovery beyond a mailbox's limit gets the usual response and sends no mail", async () => {
    const caller = await newCaller()
    const { email } = contest.world().team(caller.member.id) ?? {}
    const ask = () => kindOf(recoverV2, caller, { body: { email } })
    const mails = () => contest.mails.filter(({ to }) => to === email).length
    for (let sent = 0; sent < limitOf('mailsToAddress').burst; sent += 1) {
      expect(await ask()).toBe('goodVerifySent')
    }
    await settleOutbox(contest)
    const before = mails()
    expect(before).toBe(limitOf('mailsToAddress').burst)
    expect(await ask()).toBe('goodVerifySent')
    await settleOutbox(contest)
    expect(mails()).toBe(before)
  })
})

describe('pages', () => {
  const boards = allRoutes.filter(({ path }) => path === '/api/v2/leaderboard/now')

  test.each(boards.map((route) => [route.path, route] as const))(
    'of %s that most callers read remain available when the budget is used up',
    async (_path, route) => {
      // Four addresses use up the bucket of the process.
      for (const address of ['a', 'b', 'c', 'd']) await drain('pageRenders', address, 0)
      const caller = await newCaller()
      expect(await kindOf(route, caller, oddPage(route))).toBe('badRateLimit')
      for (const limit of ['10', '25', '50', '100']) {
        expect(await kindOf(route, caller, { query: { limit, offset: '0' } })).toBe('goodLeaderboard')
      }
      const ownRow = { limit: '1', offset: String(++counter) }
      expect(await kindOf(route, caller, { query: ownRow })).toBe('goodLeaderboard')
    },
  )
})

describe('a profile', () => {
  const status = (caller: Caller, statusText: string) =>
    contest.call(updateProfileV2, { token: caller.member.token, body: { statusText } })

  test('allows twenty changes at once and then one every fifteen seconds', async () => {
    const caller = await newCaller()
    for (let at = 0; at < 20; at += 1)
      expect((await status(caller, `text ${at}`)).kind).toBe('goodUserUpdate')
    expect(await status(caller, 'one more')).toMatchObject({
      kind: 'badRateLimit',
      data: { timeLeft: 15_000 },
    })
    // An update that changes nothing takes no token.
    expect((await status(caller, 'text 19')).kind).toBe('goodUserUpdate')
    contest.clock.advance(15_000)
    expect((await status(caller, 'one more')).kind).toBe('goodUserUpdate')
  })

  test('update that changes nothing does not wait for the change lock', async () => {
    const caller = await newCaller()
    await status(caller, 'busy')
    // A request that needed the lock would wait forever, because this transaction holds it.
    const { kind } = await contest.db.change(() => status(caller, 'busy'))
    expect(kind).toBe('goodUserUpdate')
  })
})

describe('registration', () => {
  const register = (by: Contest, address: string) =>
    by.call(registerV2, {
      headers: { 'x-forwarded-for': address },
      body: { name: unique(), email: `${++counter}@uni.example` },
    })

  test('admits 300 teams from one address at once, then one per second, without delaying other addresses', async () => {
    await using open = await startContest({ config: { proxy } })
    const { limiter } = open.app.stores
    for (let at = 0; at < 290; at += 1) await limiter.take('registrations', '192.0.2.1')
    for (let at = 290; at < 300; at += 1) {
      expect((await register(open, '192.0.2.1')).kind).toBe('goodRegisterV2')
    }
    const refused = { kind: 'badRateLimit', data: { timeLeft: 1000 } }
    expect(await register(open, '192.0.2.1')).toMatchObject(refused)
    expect((await register(open, '192.0.2.2')).kind).toBe('goodRegisterV2')
    open.clock.advance(1000)
    expect((await register(open, '192.0.2.1')).kind).toBe('goodRegisterV2')
    expect(await register(open, '192.0.2.1')).toMatchObject(refused)
  })

  test('counts an IPv6 /64 as one address, with the configured size', async () => {
    await using strict = await startContest({
      config: { proxy, registrationLimit: { burst: 2, windowMs: 2000 } },
    })
    expect((await register(strict, '2001:db8:1:2::1')).kind).toBe('goodRegisterV2')
    expect((await register(strict, '2001:db8:1:2:ffff::9')).kind).toBe('goodRegisterV2')
    expect((await register(strict, '2001:db8:1:2::3')).kind).toBe('badRateLimit')
    expect((await register(strict, '2001:db8:1:3::1')).kind).toBe('goodRegisterV2')
  })
})
