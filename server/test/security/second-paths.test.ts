import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { createHint } from '@pennant/contract/hints.ts'
import { createPage } from '@pennant/contract/pages.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { startMessageThread } from '@pennant/contract/messages.ts'
import { ALL_PERMISSIONS, hasPermissions, permissions } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { ChallengeRow } from '../../src/world/model.ts'
import { botSettings } from '../bot-contest.ts'
import { putChallenge, putFeed, putSettings, putSolve, setBanned } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { fullDeployment, type Deployment } from '../fuzz/deployments.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { putDynamic } from '../pushes.ts'
import { addressesOf, read, readRoutes, type Seeds } from './crawl.ts'

// Class S6 (README.md): what one path hides, no other path may reveal. Every kind of caller requests every
// read route before, during and after the event. The test harness rejects undeclared response fields; this
// test checks that no response mentions hidden challenges, flags, settings or another team's address.

const RELEASE = noon + 100 * HOUR_MS
const instancerConfig = {
  challengeIntegrationId: 'k3pt-integration',
  config: {},
  expose: [],
  timeoutMilliseconds: 60_000,
}
const flag = (text: string) => [{ provider: 'flags/static', config: { flag: text } }]
const challenges: readonly ChallengeRow[] = [
  challengeRow('public', { flags: flag('flag{k3pt-public}'), instancerConfig, adminBotConfig: botSettings }),
  ...['hidden', 'unreleased'].map((state) =>
    challengeRow(`k3pt-${state}-id`, {
      name: `k3pt-${state}-name`,
      description: `k3pt-${state}-description`,
      flags: flag(`flag{k3pt-${state}}`),
      files: [{ name: `k3pt-${state}.zip`, url: `/uploads/k3pt-${state}.zip` }],
      hidden: state === 'hidden',
      releaseAt: state === 'unreleased' ? RELEASE : null,
      adminBotConfig: { ...botSettings, code: 'k3pt-code' },
      instancerConfig,
    }),
  ),
]
/** Marks text of hidden challenges and text that no participant may see. */
const MARK = 'k3pt'
/** What a team did on a challenge stays its data when the challenge is hidden again: the id, and nothing else of it. */
const OWN_DATA = '/api/v2/users/me/personal-data'
const OWN_IDS = /"challengeId":"k3pt-[a-z]+-id"/g

interface Caller {
  readonly name: string
  readonly perms: number
  readonly member?: Member
}

let deployment: Deployment
let contest: Contest
let seeds: Seeds
const callers: Caller[] = [{ name: 'nobody', perms: 0 }]

beforeAll(async () => {
  deployment = await fullDeployment()
  contest = await startContest({ config: deployment.config })
  const { db } = contest
  const player = await contest.team()
  const banned = await contest.team()
  callers.push(
    { name: 'a player', perms: 0, member: player },
    { name: 'a banned team', perms: 0, member: banned },
  )
  for (const [name, perms] of Object.entries(permissions)) {
    callers.push({ name: `a holder of ${name}`, perms, member: await contest.admin(perms) })
  }
  callers.push({ name: 'an admin', perms: ALL_PERMISSIONS, member: await contest.admin() })
  // After the end, the statistics are public.
  await putSettings(db, { statisticsPublic: true })
  for (const row of challenges) await putChallenge(db, row)
  await putDynamic(contest, 'k3pt-dynamic-id', { secret: 'k3pt-webhook', hidden: true })
  await putDynamic(contest, 'pushed', { secret: 'k3pt-webhook' })
  const at = noon - 1000
  for (const [number, teamId] of [player.id, banned.id].entries()) {
    for (const [index, { id: challengeId }] of challenges.entries()) {
      await putSolve(db, solveRow(number * 10 + index, { challengeId, teamId, createdAt: at + index }))
    }
    for (const challengeId of ['pushed', 'k3pt-dynamic-id']) {
      await putFeed(db, { challengeId, teamId, points: 7, scoredAt: at, delta: 7, tickAt: at })
    }
  }
  await setBanned(db, banned.id, true)
  seeds = {
    challengeIds: [...challenges.map(({ id }) => id), 'pushed', 'k3pt-dynamic-id', 'nothing'],
    teamIds: [player.id, banned.id, 'nobody'],
    otherIds: [
      await scheduleAnnouncement(),
      await scheduleWave(),
      await ask(player),
      ...(await addHints()),
      ...(await addPages()),
    ],
    token: contest.app.stores.tokens.issueTeam(player.id),
  }
})
/** A thread that only its team and those who answer may read. */
async function ask({ token }: Member): Promise<string> {
  const body = { subject: 'Question', content: 'How?' }
  const made = await contest.call(startMessageThread, { token, body })
  if (made.kind !== 'goodMessageSend') throw new Error(made.kind)
  return made.data.thread.id
}

/** No one but organisers may see it before its time. */
async function scheduleAnnouncement(): Promise<string> {
  const { member } = callers.at(-1) ?? {}
  const data = { title: 'k3pt-announcement', content: 'k3pt-content', publishAt: RELEASE }
  const made = await contest.call(createAnnouncement, { token: member?.token, body: { data } })
  if (made.kind !== 'goodAnnouncementUpdate') throw new Error(made.kind)
  return made.data.announcement.id
}

/** The same for a wave without a countdown. */
async function scheduleWave(): Promise<string> {
  const { member } = callers.at(-1) ?? {}
  const data = { name: 'k3pt-wave', openAt: RELEASE, challengeIds: ['k3pt-unreleased-id'] }
  const made = await contest.call(createWave, { token: member?.token, body: { data } })
  if (made.kind !== 'goodWave') throw new Error(made.kind)
  return made.data.wave.id
}

/** A draft, and a page that everyone reads; their ids and addresses. */
async function addPages(): Promise<string[]> {
  const { member } = callers.at(-1) ?? {}
  const found: string[] = []
  for (const [slug, text] of [
    ['draft', 'k3pt-page'],
    ['rules', 'Be kind.'],
  ] as const) {
    const texts = [{ language: 'en', title: text, content: text }]
    const data = { slug, published: slug === 'rules', texts }
    const made = await contest.call(createPage, { token: member?.token, body: { data } })
    if (made.kind !== 'goodPageUpdate') throw new Error(made.kind)
    found.push(made.data.page.id, slug)
  }
  return found
}

/** A hint that waits, one with a price, and one of a hidden challenge. */
async function addHints(): Promise<string[]> {
  const { member } = callers.at(-1) ?? {}
  const released = { kind: 'time', at: FIRST_INSTANT } as const
  const hints = [
    { id: 'public', data: { text: 'k3pt-waits' } },
    { id: 'public', data: { text: 'k3pt-priced', price: 5, release: released } },
    { id: 'k3pt-hidden-id', data: { text: 'k3pt-free', release: released } },
  ]
  const ids: string[] = []
  for (const { id, data } of hints) {
    const made = await contest.call(createHint, { token: member?.token, params: { id }, body: { data } })
    if (made.kind !== 'goodAdminHint') throw new Error(made.kind)
    ids.push(made.data.hint.id)
  }
  return ids
}

afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await deployment[Symbol.asyncDispose]()
})

const phases = { before: noon - 2 * HOUR_MS, during: noon, after: noon + 48 * HOUR_MS }

function moveTo(at: number): void {
  contest.clock.advance(at - contest.clock.now())
}

const mayRead = ({ auth, perms }: Route, caller: Caller) =>
  auth !== 'service' && perms !== undefined && hasPermissions(caller.perms, perms)

describe.each(Object.entries(phases))('%s the event', (_phase, at) => {
  test.each(readRoutes.map((route) => [route.path, route] as const))(
    '%s reveals nothing to callers without access',
    async (_path, route) => {
      const addresses = addressesOf(route, seeds)
      const emails = await emailsByTeam()
      for (const caller of callers) {
        for (const [index, address] of addresses.entries()) {
          // Later each time, because searches are rate limited.
          moveTo(at + index * 1000)
          const { text } = await read(contest, route, { address, token: caller.member?.token })
          if (mayRead(route, caller)) continue
          const known = route.path === OWN_DATA ? text.replaceAll(OWN_IDS, '') : text
          expect(known, `${caller.name} at ${address}`).not.toContain(MARK)
          for (const [teamId, email] of emails) {
            if (teamId !== caller.member?.id)
              expect(text, `${caller.name} at ${address}`).not.toContain(email)
          }
          for (const secret of deployment.secrets) expect(text).not.toContain(secret)
        }
      }
    },
  )
})

async function emailsByTeam(): Promise<readonly (readonly [string, string])[]> {
  const rows = await contest.db.query<{ id: string; email: string }>(sql`select id, email from teams`)
  return rows.map(({ id, email }) => [id, email] as const)
}

test('an open public route returns the same response to all callers', async () => {
  const fixed = readRoutes.filter(({ auth, path }) => auth === 'public' && !path.includes('captcha'))
  for (const route of fixed) {
    for (const address of addressesOf(route, seeds).filter((text) => !text.includes('search='))) {
      moveTo(phases.during)
      const texts = new Set<string>()
      for (const { member } of callers)
        texts.add((await read(contest, route, { address, token: member?.token })).text)
      expect(texts.size, address).toBe(1)
    }
  }
})

test('the crawl reads every enabled route and finds the marked texts', async () => {
  moveTo(phases.during)
  const answered = new Set<string>()
  const marked = new Set<string>()
  const tokens = [...callers.map(({ member }) => member?.token), deployment.serviceToken ?? '']
  for (const route of readRoutes) {
    for (const address of addressesOf(route, seeds)) {
      for (const token of tokens) {
        contest.clock.advance(1000)
        const { status, text } = await read(contest, route, { address, token })
        if (status === 200) answered.add(route.path)
        if (text.includes(MARK)) marked.add(route.path)
      }
    }
  }
  expect([...marked].sort()).toEqual(expect.arrayContaining(['/api/v1/admin/challs', '/api/v2/admin/challs']))
  // Routes for people, that are disabled in this deployment, that list clients and jobs, of which there are none, that refuse every request, or that wait for the end.
  const silent = readRoutes.map(({ path }) => path).filter((path) => !answered.has(path))
  expect(silent).toEqual([
    '/api/v2/users/me/track',
    '/api/v2/people/me',
    '/api/v2/people/me/personal-data',
    '/api/v2/people/me/sign-in',
    '/api/v2/people/me/sessions',
    '/api/v2/people/me/fields',
    '/api/mcp',
    '/api/v2/integrations/analytics/script',
    '/api/v2/integrations/captcha/challenge',
    '/api/v2/external-auth/clients/:id',
    '/api/v2/openid/userinfo',
    '/api/v2/statistics',
    '/api/v2/statistics/tables/:table',
  ])
  moveTo(RELEASE)
  const [list] = readRoutes.filter(({ path }) => path === '/api/v2/challs')
  if (!list) throw new Error('no list of challenges')
  const { text } = await read(contest, list, { address: list.path })
  expect(text).toContain('k3pt-unreleased-name')
  expect(text).not.toContain('k3pt-hidden')
})
