import { startDeviceSignIn } from '@pennant/contract/device-sign-in.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { pullAdminBotJob } from '@pennant/contract/admin-bot-worker.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { startInstance } from '@pennant/contract/instances.ts'
import sql from 'sql-template-tag'
import { botSecret, submit, workerOf } from '../../server/test/bot-contest.ts'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import { startContest, type Contest } from '../../server/test/harness.ts'
import { sendJson, startHttpService } from '../../server/test/http-service.ts'
import { tokenMailedTo, withMail } from '../../server/test/mail.ts'
import { siteClient } from '../../server/test/ranking-site.ts'
import { changeTeam } from '../../server/test/team-rows.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { demoConfig, timesOf, type Phase } from '../../server/src/ops/demo/event.ts'
import { liveChallenges } from '../../server/src/ops/demo/live-challenges.ts'
import { seedContest, type Cast } from '../../server/src/ops/demo/seed.ts'
import { accepted, siteDirectory } from './harness.ts'
import type { PEOPLE_ROLES } from './scene-people.ts'

/** The time of every scene, so that screenshots do not change from day to day. */
export const sceneNow = Date.UTC(2030, 9, 19, 14)

/** The roles of a viewer who is signed in. */
export const ROLES = ['player', 'banned', 'reader', 'organiser'] as const
type Role = (typeof ROLES)[number]

const TEAMS = 60
/** What happens before the scenes begins this long before them. */
const PRELUDE_MS = 20 * MINUTE_MS
/** The lifetime of mailed links does not matter: the clock is frozen. */
const PENDING_MINUTES = [11, 22, 33]

export interface SceneContest extends AsyncDisposable {
  readonly url: string
  readonly tokens: Readonly<Partial<Record<Role | (typeof PEOPLE_ROLES)[number], string>>>
  /** What `:name` in the path of a scene means. */
  readonly values: Readonly<Record<string, string>>
}

export interface SceneContestOptions {
  readonly phase: Phase
  /** No challenges, and only the teams of the roles. */
  readonly isEmpty: boolean
  /** Opens a migrated database, by default one of the test run. */
  readonly openDatabase?: (() => Promise<TestDatabase>) | undefined
}

/** A server with the example event in a phase, with a frozen clock. */
export async function openSceneContest(options: SceneContestOptions): Promise<SceneContest> {
  const disposal = createDisposal()
  // Replaces the worker that checks the bot's source.
  const checker = await startHttpService((_asked, response) => sendJson(response, 200, BOT_SETTINGS))
  disposal.defer(() => checker[Symbol.asyncDispose]())
  const contest = await startContest({
    siteDirectory,
    startsAt: sceneNow - PRELUDE_MS,
    ...(options.openDatabase && { database: await options.openDatabase() }),
    config: { ...configOf(checker.url), ...timesOf(options.phase, sceneNow) },
  })
  disposal.defer(() => contest[Symbol.asyncDispose]())
  const organiser = await contest.admin()
  const cast = options.isEmpty ? await castOfEmpty(contest) : await play(contest, organiser.id, options)
  contest.clock.advance(sceneNow - contest.clock.now())
  await contest.call(registerV2, { body: NEWCOMER })
  // A worker is there, and runs the last visit.
  await contest.call(pullAdminBotJob, { token: botSecret, query: {} })
  const body = { data: { statisticsPublic: true } }
  await contest.call(updateSettings, { token: organiser.token, body })
  const tokenOf = (teamId: string) => contest.app.stores.tokens.issueAuth(teamId)
  return {
    url: contest.url,
    tokens: {
      player: tokenOf(cast.playerId),
      banned: tokenOf(cast.bannedId),
      reader: tokenOf(cast.readerId),
      organiser: organiser.token,
    },
    values: {
      rival: cast.rivalId,
      player: cast.playerId,
      device: await deviceCodeOf(contest),
      verify: encodeURIComponent(await tokenMailedTo(contest, NEWCOMER.email)),
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

/** A program that waits for a person. */
async function deviceCodeOf(contest: Contest): Promise<string> {
  const body = { name: 'pennant on harbour-ci', scopes: ['read' as const, 'challenges:write' as const] }
  const started = await contest.call(startDeviceSignIn, { body })
  if (started.kind !== 'goodDeviceStart') throw new Error(started.kind)
  return started.data.userCode
}

/** Everything that happened until the scenes. */
async function play(contest: Contest, organiserId: string, { phase }: SceneContestOptions): Promise<Cast> {
  const { db, call } = contest
  const tokenOf = (teamId: string) => contest.app.stores.tokens.issueAuth(teamId)
  const times = { ...timesOf(phase, sceneNow), now: sceneNow }
  const cast = await seedContest({ db, call, organiserId, tokenOf, teams: TEAMS, ...times, live: LIVE })
  await addSpecials(contest, cast)
  if (phase === 'live') await playWithParts(contest, { ...cast, tokenOf })
  return cast
}

/** What a worker finds in the source of the example's bot. */
const BOT_SETTINGS = {
  inputs: { url: { pattern: '^https?://' } },
  timeoutMilliseconds: 30 * SECOND_MS,
  requireInstancerInstancesRunning: false,
}

/** The instances of the number station fail. */
const LIVE = liveChallenges.map(({ instance, ...challenge }) => {
  const outcome = challenge.id === 'number-station' ? 'fails' : 'runs'
  return { ...challenge, instance: { ...instance, config: { ...(instance['config'] as object), outcome } } }
})

function configOf(checkerUrl: string) {
  return {
    ...demoConfig,
    ...withMail,
    extrank: { ...siteClient, authorizeUrl: 'https://ranking.invalid/authorize' },
    instancers: { here: { name: 'instancers/memory' } },
    defaultInstancer: 'here',
    adminBot: {
      provider: { name: 'admin-bots/browser', options: { endpoint: checkerUrl, secretKey: botSecret } },
    },
  }
}

async function castOfEmpty(contest: Contest): Promise<Cast> {
  const [player, banned, reader] = [await contest.team(), await contest.team(), await contest.admin(0b101)]
  await changeTeam(contest, banned.id, sql`banned = true`)
  return { playerId: player.id, rivalId: player.id, bannedId: banned.id, readerId: reader.id }
}

const NEWCOMER = { name: 'Fresh Crew', email: 'crew@mail.example' }
const LONG_NAME = 'the quick brown fuzzers jump over the lazy sanitizer and keep on'
const LONG_STATUS = 'نحن نحب الأعلام — and a status that is exactly sixty long!!!'
const MESSAGE = {
  name: 'Message in a Bottle <img src=x onerror=alert(1)>, Written by a Compiler That Nobody Has Maintained',
  author: 'مريم',
  description: `The bottle has a *message*. <script>alert(1)</script>

> [!CONNECTION]
> nc bottle.harbour.example 31337
> https://bottle.harbour.example

> [!WARNING]
> It is longer than it looks.

| Header | Value |
| --- | --- |
| \`x-long-header-without-any-break\` | \`aGFyYm91ci1oYXJib3VyLWhhcmJvdXItaGFyYm91ci1oYXJib3VyLWhhcmJvdXItaGFyYm91cg==\` |

\`\`\`python
io.sendlineafter(b"name: ", b"A" * 64 + b"a comment that is wider than the column it stands in")
\`\`\`

1. Read it.
2. Watch the tide: <timer/>.
`,
  files: [
    { name: 'bottle.tar.gz', url: `/uploads/${'a'.repeat(64)}/bottle.tar.gz`, size: 48_213 },
    {
      name: `${'notes-of-the-harbour-master-'.repeat(3)}1987.pdf`,
      url: `/uploads/${'b'.repeat(64)}/n`,
      size: 1,
    },
  ],
}

/** Texts of every length and kind, and registrations that wait. */
async function addSpecials(contest: Contest, { rivalId, playerId, bannedId }: Cast): Promise<void> {
  const picture = `data:image/svg+xml,${encodeURIComponent(PICTURE)}`
  await changeTeam(
    contest,
    rivalId,
    sql`name = ${LONG_NAME}, status_text = ${LONG_STATUS}, avatar_url = ${picture}`,
  )
  await changeTeam(contest, bannedId, sql`name = 'Shared Flags Inc'`)
  await contest.db.query(sql`update external_auth_clients set id = 'client-1'`)
  await changeTeam(contest, playerId, sql`status_text = 'vi kommer fra nord', avatar_url = ${picture}`)
  await putChallenge(contest.db, challengeRow('message', MESSAGE as never))
  for (const [at, minutes] of PENDING_MINUTES.entries())
    // oxlint-disable-next-line no-await-in-loop
    await contest.db.query(sql`
      insert into pending_registrations (id, email, name, division, expires_at)
      values (${`pending-${at}`}, ${`captain${at}@mail.example`}, 'Late Arrivals', 'open',
        ${new Date(sceneNow + minutes * MINUTE_MS)})`)
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path fill="#1f54b5" d="M0 0h4v4H0z"/><path fill="#fff" d="m1 1 2 1-2 1z"/></svg>'

type Played = Cast & { readonly tokenOf: (teamId: string) => string }

/** Instances and visits of the admin bot in each state that a page can show. */
async function playWithParts(contest: Contest, { playerId, rivalId, tokenOf }: Played): Promise<void> {
  const { call, clock } = contest
  const start = async (teamId: string, id: string) =>
    accepted(await call(startInstance, { token: tokenOf(teamId), params: { id }, body: {} }))
  const player = { id: playerId, token: tokenOf(playerId) }
  for (const ends of ['completed', 'failed'] as const) {
    accepted(await submit(contest, player, { id: 'guest-book' }))
    await workerOf(contest, () => ({ ends, logs: LOGS })).drain()
    clock.advance(3 * MINUTE_MS)
  }
  accepted(await submit(contest, player, { id: 'guest-book' }))
  await start(playerId, 'guest-book')
  await start(playerId, 'number-station')
  clock.advance(sceneNow - SECOND_MS - clock.now())
  // Still starting.
  await start(rivalId, 'guest-book')
}

const LOGS = JSON.stringify({ time: 1, level: 'info', prefix: 'bot', line: 'visited the page' })
