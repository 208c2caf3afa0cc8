import { randomBytes, randomUUID } from 'node:crypto'
import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import sql from 'sql-template-tag'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createTokens } from '../../src/features/people/accounts/tokens.ts'
import type { ChallengeRow } from '../../src/world/model.ts'
import { botSettings } from '../bot-contest.ts'
import { putChallenge, putFeed, putSettings, putSolve, setBanned } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { putDynamic } from '../pushes.ts'
import { changeTeam } from '../team-rows.ts'
import type { Deployment } from './deployments.ts'

export type TeamName = 'player' | 'banned' | 'organiser'
export type CallerName = 'anonymous' | 'service' | TeamName

/** What an attacker may know, guess or have obtained. */
export interface Known {
  readonly tokens: Readonly<Record<Exclude<CallerName, 'anonymous'>, string>>
  /** Tokens of other kinds, signed with other keys, expired, or of no team. */
  readonly otherTokens: readonly string[]
  readonly ids: readonly string[]
  readonly nextName: () => string
}

/** A text that only some callers may see. */
export interface Secret {
  readonly label: string
  readonly text: string
  /** The team whose own responses may contain it. */
  readonly ownerId?: string
  /** Whether organisers and the worker may read it on their own routes. */
  readonly isForStaff?: boolean
}

export type Phase = 'before' | 'during' | 'after'

export interface Population extends AsyncDisposable {
  readonly contest: Contest
  readonly secrets: readonly Secret[]
  /** All organisers ever created. */
  readonly organisers: readonly string[]
  /** Recreates the callers and restores the contest, since requests may have changed or removed anything. */
  renew(): Promise<Known & { readonly members: Readonly<Record<TeamName, Member>> }>
  /** Moves the clock before, into or after the event, a little later each time so that rate limits refill. */
  moveTo(phase: Phase): void
}

export const visibleFlag = 'flag{k3pt-static}'
export const webhookSecret = 'k3pt-webhook-secret'
const BASE = 'flag{k3pt-base}'
const PATTERN = 'k3pt-pattern$'

const instancerConfig = {
  challengeIntegrationId: 'k3pt-integration',
  config: {},
  expose: [],
  timeoutMilliseconds: 60_000,
}
const challenges: readonly ChallengeRow[] = [
  challengeRow('visible', {
    instancerConfig,
    adminBotConfig: botSettings,
    flags: [
      { provider: 'flags/static', config: { flag: visibleFlag } },
      { provider: 'flags/regex', config: { pattern: PATTERN } },
    ],
  }),
  challengeRow('minted', { flags: [{ provider: 'flags/dynamic', config: { base: BASE } }] }),
  challengeRow('hidden', { hidden: true, name: 'k3pt-hidden-name', description: 'k3pt-hidden-text' }),
  challengeRow('unreleased', { releaseAt: noon + 1000 * HOUR_MS, name: 'k3pt-unreleased-name' }),
]

const challengeIds = [...challenges.map(({ id }) => id), 'dynamic']

const staff = (label: string, text: string): Secret => ({ label, text, isForStaff: true })

/** Creates a contest with everything that could leak. */
export async function populate(deployment: Deployment): Promise<Population> {
  const divisions = { open: 'Open', uni: 'University' }
  const contest = await startContest({
    config: { ...deployment.config, divisions, maxRequestBodySize: 1024 * 1024 },
  })
  const secrets: Secret[] = [
    ...[visibleFlag, BASE, PATTERN].map((text) => staff('flag', text)),
    staff('webhook secret', webhookSecret),
    staff('instancer settings', 'k3pt-integration'),
    staff('hidden challenge', 'k3pt-hidden'),
    staff('unreleased challenge', 'k3pt-unreleased'),
    { label: 'token key', text: Buffer.alloc(32, 7).toString('base64') },
    ...deployment.secrets.map((text) => ({ label: 'configured secret', text })),
  ]
  const organisers: string[] = []
  const known = await contest.team('Known')
  await changeTeam(contest, known.id, sql`email = 'known@fuzz.example'`)
  let moves = 0
  let names = 0

  async function renew() {
    const [player, banned, rival, organiser] = [
      await contest.team(),
      await contest.team(),
      await contest.team(),
      await contest.admin(),
    ]
    organisers.push(organiser.id)
    for (const { id, token } of [player, banned, rival, organiser]) {
      const email = contest.world().team(id)?.email ?? ''
      secrets.push({ label: 'email of another', text: email, ownerId: id, isForStaff: true })
      secrets.push({ label: 'auth token', text: token })
    }
    await setBanned(contest.db, banned.id, true)
    await refill(contest, [rival, banned])
    const client = await addClient(contest, organiser)
    const own = ownTokens(contest, rival)
    secrets.push(...own.map((text) => ({ label: 'token of a rival', text })))
    secrets.push({ label: 'secret of an external client', text: client.secret })
    const { player: p, banned: b, organiser: o } = { player, banned, organiser }
    return {
      members: { player, banned, organiser },
      tokens: {
        player: p.token,
        banned: b.token,
        organiser: o.token,
        service: deployment.serviceToken ?? 'x',
      },
      otherTokens: [...own, ...uselessTokens(contest, rival), client.secret],
      ids: [...challengeIds, 'nobody', p.id, b.id, o.id, rival.id, known.id, client.id],
      nextName: () => `fuzz-${++names}`,
    }
  }

  return {
    contest,
    secrets,
    organisers,
    renew,
    moveTo(phase) {
      const at = { before: noon - 2 * HOUR_MS, during: noon, after: noon + 48 * HOUR_MS }[phase]
      contest.clock.advance(at + moves++ * 10_000 - contest.clock.now())
    },
    [Symbol.asyncDispose]: () => contest[Symbol.asyncDispose](),
  }
}

async function refill(contest: Contest, teams: readonly Member[]): Promise<void> {
  const { db } = contest
  await putSettings(db, {})
  for (const row of challenges) await putAnew(contest, row)
  await db.change(async (tx) => {
    await tx.query(sql`delete from challenges where id = 'dynamic'`)
    tx.changed('challenges', ['dynamic'])
  })
  await putDynamic(contest, 'dynamic', { secret: webhookSecret })
  for (const { id: teamId } of teams) {
    for (const challengeId of ['visible', 'hidden', 'unreleased']) {
      const solve = solveRow(0, { challengeId, teamId, createdAt: noon - 1000 })
      await putSolve(db, { ...solve, id: randomUUID() })
    }
    const scored = { scoredAt: noon - 1000, tickAt: noon - 1000, delta: 5 }
    await putFeed(db, { challengeId: 'dynamic', teamId, points: 5, ...scored })
  }
}

async function putAnew({ db }: Contest, row: ChallengeRow): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`delete from challenges where id = ${row.id}`)
    tx.changed('challenges', [row.id])
  })
  await putChallenge(db, row)
}

async function addClient({ call }: Contest, { token }: Member) {
  const body = { name: 'Wiki', redirectUri: 'https://wiki.example/back' }
  const response = await call(createExternalAuthClient, { token, body })
  if (response.kind !== 'goodAdminExternalAuthClientCreate') throw new Error(response.kind)
  return response.data
}

/** A team's valid tokens, which are secrets. */
function ownTokens({ app }: Contest, { id }: Member): string[] {
  const { tokens } = app.stores
  const change = { kind: 'update', verifyId: randomUUID(), teamId: id, email: 'x@fuzz.example' } as const
  return [tokens.issueTeam(id), tokens.issueVerify(change)]
}

function uselessTokens({ app }: Contest, { id, token }: Member): string[] {
  const { tokens } = app.stores
  const foreign = createTokens({ key: randomBytes(32), now: () => noon, loginTimeoutMs: HOUR_MS })
  return [
    tokens.issueVerify({ kind: 'register', verifyId: randomUUID() }),
    tokens.issueVerify({ kind: 'register', verifyId: randomUUID() }, noon - 1000 * HOUR_MS),
    tokens.issueHandoff({ name: 'Handed over', extrankId: '77' }),
    tokens.issueAuth(randomUUID()),
    tokens.issueAuth('\0'),
    tokens.issueTeam('__proto__'),
    tokens.issueTeam('x'.repeat(1000)),
    foreign.issueAuth(id),
    foreign.issueTeam(id),
    token.slice(0, -4),
    token.replace(/./g, 'A'),
    'null',
    '%00',
  ]
}
