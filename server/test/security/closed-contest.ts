import { asTeam } from '../acting.ts'
import sql from 'sql-template-tag'
import { createHint } from '@pennant/contract/hints.ts'
import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { DAY_MS, HOUR_MS } from '@pennant/contract/durations.ts'
import { ALL_PERMISSIONS, permissions } from '@pennant/contract/permissions.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Visibility, VisiblePart, VisibilitySettings } from '@pennant/contract/visibility.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { randomUUID } from 'node:crypto'
import { recordInstanceAction } from '../../src/features/engines/instances/actions.ts'
import { apiTokenOf } from '../api-tokens.ts'
import { botConfig, botSettings } from '../bot-contest.ts'
import { putChallenge, putFeed, putSettings, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { feedKey } from '../fuzz/deployments.ts'
import { ANSWER, answeringMember, answerFields, plantedFields } from './closed-fields.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { ask } from '../message-threads.ts'
import { personIn, teamless } from '../people.ts'
import { putDynamic } from '../pushes.ts'
import { eventsIn } from '../stream.ts'
import { changeTeam } from '../team-rows.ts'
import type { Seeds } from './crawl.ts'

// The contest of the crawl of closed parts (visibility.test.ts). Each text and number that belongs to a part of the event is unique.

export interface Caller {
  readonly name: string
  readonly perms: number
  /** Absent without a token. */
  readonly team?: 'a' | 'b' | 'organiser'
  readonly token?: string
  lastEventId: string
}

export interface ClosedContest extends AsyncDisposable {
  readonly contest: Contest
  readonly seeds: Seeds
  readonly callers: readonly Caller[]
  readonly teams: Readonly<Record<'a' | 'b' | 'organiser', Member>>
}

/** Texts of each part. Those of a team are followed by its letter. */
export const marks = {
  challenges: ['k3pt-challenge', 'k3pt-hint', 'k3pt-wave'],
  home: ['k3pt-home'],
  /** The names of teams are on the scoreboard and on profiles. */
  name: 'team k3pt-name-',
  profile: 'k3pt-status-',
  reason: 'k3pt-reason-',
  /** Who of a team did something is for the team and organisers. */
  person: 'k3pt-person-',
  /** Answers to fields: then whose they are, who may read them, and the letter of the team. */
  answer: ANSWER,
}
/** Scores that no other number has. */
export const scores = { a: 710_000, b: 820_000 }

const flags = [{ provider: 'flags/static', config: { flag: 'flag{x}' } }]
const instancerConfig = {
  challengeIntegrationId: 'box',
  config: {},
  expose: [],
  timeoutMilliseconds: 60_000,
}
const config = {
  ...botConfig,
  instancers: { local: { name: 'instancers/memory' } },
  divisions: { north: 'North', south: 'South' },
  standingsFeed: { key: feedKey },
  homeContent: 'k3pt-home text',
  sponsors: [{ name: 'k3pt-home sponsor', icon: '/logo.svg', description: 'k3pt-home' }],
  fields: plantedFields,
  meta: { description: 'k3pt-home description', imageUrl: 'https://ctf.example/k3pt-home.png' },
}

/** Each request moves the clock: the sessions must last as long as the crawl. */
const lifeMs = 30 * DAY_MS

const organisers = { ...permissions, everything: ALL_PERMISSIONS }

export async function openClosedContest(): Promise<ClosedContest> {
  const contest = await startContest({ config })
  const teams = {
    a: await contest.team(`${marks.name}a`),
    b: await contest.team(`${marks.name}b`),
    organiser: await contest.admin(),
  }
  await changeTeam(contest, teams.a.id, sql`division = 'north', status_text = ${`${marks.profile}a`}`)
  await changeTeam(contest, teams.b.id, sql`division = 'south', status_text = ${`${marks.profile}b`}`)
  await putChallenges(contest)
  await answerFields(contest, teams)
  const mate = await answeringMember(contest, teams.a)
  const token = teams.organiser.token
  await adjust(contest, token, { userId: teams.a.id, points: scores.a, reason: `${marks.reason}a` })
  await adjust(contest, token, { userId: teams.b.id, points: scores.b, reason: `${marks.reason}b` })
  const hint = { text: 'k3pt-hint', release: { kind: 'time' as const, at: FIRST_INSTANT } }
  mustBe(
    'goodAdminHint',
    await contest.call(createHint, { token, params: { id: 'one' }, body: { data: hint } }),
  )
  const wave = { name: 'k3pt-wave', openAt: noon + 60 * HOUR_MS, countdown: true, challengeIds: ['later'] }
  mustBe('goodWave', await contest.call(createWave, { token, body: { data: wave } }))
  const external = contest.app.stores.tokens.issueExternal(teams.a.id, contest.clock.now())
  const { persons, threadIds } = await peopleOf(contest, teams)
  const callers: Caller[] = [
    { name: 'no one', perms: 0, lastEventId: '' },
    { name: 'a team', perms: 0, team: 'a', token: teams.a.token, lastEventId: '' },
    { name: 'a team of another division', perms: 0, team: 'b', token: teams.b.token, lastEventId: '' },
    { name: 'a member', perms: 0, team: 'a', token: mate.token, lastEventId: '' },
    { name: 'another site', perms: 0, team: 'a', token: external, lastEventId: '' },
    ...persons,
  ]
  for (const [name, perms] of Object.entries(organisers)) {
    const member = await contest.admin(perms)
    await changeTeam(contest, member.id, sql`division = 'north'`)
    callers.push({ name, perms, team: 'organiser', token: member.token, lastEventId: '' })
  }
  for (const caller of callers) caller.lastEventId = await positionOf(contest, caller)
  await play(contest, teams)
  const seeds = {
    challengeIds: ['one', 'pushed'],
    teamIds: [teams.a.id, teams.b.id],
    otherIds: threadIds,
    token: contest.app.stores.tokens.issueTeam(teams.a.id),
    values: { division: ['north', 'south'], challenge: ['one'], search: ['k3pt'], challengeSearch: [] },
  }
  return { contest, seeds, callers, teams, [Symbol.asyncDispose]: () => contest[Symbol.asyncDispose]() }
}

/** Captains, members, and programs of both kinds of owners: they see what their team sees. */
async function peopleOf(contest: Contest, { a, b, organiser }: ClosedContest['teams']) {
  const as = (
    name: string,
    team: 'a' | 'b' | 'organiser',
    { token }: { readonly token: string },
  ): Caller => ({
    name,
    perms: 0,
    team,
    token,
    lastEventId: '',
  })
  const captain = await personIn(contest, a.id, { name: `${marks.person}a`, isCaptain: true, lifeMs })
  const member = await personIn(contest, b.id, { name: `${marks.person}b`, lifeMs })
  const helper = await personIn(contest, organiser.id, { name: `${marks.person}organiser`, perms: 0, lifeMs })
  const threadIds = [
    await act(contest, { ...captain, teamId: a.id }),
    await act(contest, { ...member, teamId: b.id }),
  ]
  const read = ['read', 'messages', 'instances', 'profile'] as const
  const { team: _, ...nowhere } = as('someone in no team', 'a', await teamless(contest, { lifeMs }))
  const persons: Caller[] = [
    as('a captain', 'a', captain),
    as('a member of another division', 'b', member),
    nowhere,
    as('a person without the permissions of the team', 'organiser', helper),
    as('a program of a team', 'a', await apiTokenOf(contest, a.token, read)),
    as('a program of a member', 'b', await apiTokenOf(contest, member.token, read)),
    as('a program of an organiser that reads', 'organiser', await apiTokenOf(contest, organiser.token, read)),
  ]
  return { persons, threadIds }
}

/** Someone of a team did what names the person: a solve, a question, and an instance. */
async function act(
  contest: Contest,
  { id, token, teamId }: Member & { readonly teamId: string },
): Promise<string> {
  await contest.db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at, person_id)
    values (${randomUUID()}, 'flag', 'one', ${teamId}, '192.0.2.1', 'correct', '{}', ${new Date(noon)}, ${id})`)
  const entry = { teamId, challengeId: 'one', action: 'start', ...asTeam, personId: id } as const
  await recordInstanceAction(contest.db, entry, noon)
  return (await ask(contest, { id, token })).id
}

async function putChallenges(contest: Contest): Promise<void> {
  const texts = (id: string) => ({
    name: `k3pt-challenge ${id}`,
    description: 'k3pt-challenge description',
    author: 'k3pt-challenge author',
    files: [{ name: 'k3pt-challenge.zip', url: '/uploads/k3pt-challenge.zip' }],
    tags: ['k3pt-challenge tag'],
    scoringKind: 'static' as const,
    flags,
  })
  const code = 'k3pt-challenge code'
  for (const id of ['one', 'two'])
    await putChallenge(
      contest.db,
      challengeRow(id, { ...texts(id), instancerConfig, adminBotConfig: { ...botSettings, code } }),
    )
  await putChallenge(contest.db, challengeRow('later', { ...texts('later'), hidden: true }))
  await putDynamic(contest, 'pushed')
}

interface Adjustment {
  readonly userId: string
  readonly points: number
  readonly reason: string
}

async function adjust(contest: Contest, token: string, data: Adjustment): Promise<void> {
  mustBe('goodScoreAdjustment', await contest.call(createScoreAdjustment, { token, body: { data } }))
}

function mustBe(kind: string, actual: { readonly kind: string }): void {
  if (actual.kind !== kind) throw new Error(`${actual.kind} instead of ${kind}`)
}

async function positionOf({ url }: Contest, { token }: Caller): Promise<string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url + openStream.path, { headers })
  return eventsIn(await response.text()).at(0)?.id ?? ''
}

let number = 0

export async function solve(contest: Contest, teamId: string, challengeId: string): Promise<void> {
  number += 1
  await putSolve(contest.db, solveRow(number, { teamId, challengeId, createdAt: noon - 60_000 + number }))
}

async function play(contest: Contest, { a, b }: ClosedContest['teams']): Promise<void> {
  for (const { id } of [a, b]) await solve(contest, id, 'one')
  const at = noon - 60_000
  for (const [teamId, points] of [
    [a.id, 7],
    [b.id, 9],
  ] as const)
    await putFeed(contest.db, {
      challengeId: 'pushed',
      teamId,
      points,
      scoredAt: at,
      delta: points,
      tickAt: at,
    })
}

/** All that teams of the other division can do: its own profile, solves, scores, and a new team. */
export async function actInTheSouth({ contest, teams }: ClosedContest): Promise<void> {
  const { b, organiser } = teams
  await solve(contest, b.id, 'two')
  await putFeed(contest.db, {
    challengeId: 'pushed',
    teamId: b.id,
    points: 11,
    scoredAt: noon - 60_000,
    delta: 2,
    // Every team hears of a new tick of the challenge.
    tickAt: noon - 60_000,
  })
  await adjust(contest, organiser.token, { userId: b.id, points: 3, reason: `${marks.reason}b` })
  number += 1
  const another = await contest.team(`${marks.name}b${number}`)
  await changeTeam(contest, another.id, sql`division = 'south'`)
  await solve(contest, another.id, 'two')
  await changeTeam(contest, b.id, sql`status_text = 'k3pt-status-b again', country_code = 'FI'`)
}

export async function setVisibility(
  { contest }: ClosedContest,
  visibility: VisibilitySettings,
): Promise<void> {
  await putSettings(contest.db, { statisticsPublic: true, visibility: visibility as Record<string, string> })
}

/** The rule again, written for the test: who sees a part, or only the part of its own division. */
export function sees(
  caller: Caller,
  part: VisiblePart,
  level: Visibility = 'everyone',
): boolean | 'own division' {
  if (level === 'everyone' || has(caller, openers[part])) return true
  if (!caller.team || level === 'organisers') return false
  return level === 'division' && (part === 'scoreboard' || part === 'profiles') ? 'own division' : true
}

const openers: Readonly<Record<VisiblePart, number>> = {
  challenges: 1,
  scoreboard: 4,
  profiles: 17,
  statistics: 5,
  home: 63,
}
const has = ({ perms }: Caller, bits: number) => (perms & bits) !== 0
