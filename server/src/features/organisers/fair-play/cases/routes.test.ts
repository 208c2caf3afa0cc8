import * as contract from '@pennant/contract/fair-play-cases.ts'
import { listFairPlaySuggestions } from '@pennant/contract/fair-play.ts'
import {
  messageLimits,
  listMessageThreads,
  readMessageThread,
  writeMessage,
} from '@pennant/contract/messages.ts'
import { roles } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putChallenge } from '../../../../../test/contest-data.ts'
import { challengeRow } from '../../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../../test/harness.ts'
import { readSuggestions } from '../store.ts'

type Case = ReturnType<typeof contract.FairPlayCase.parse>

let contest: Contest
let referee: Member
let foxes: Member
let bears: Member
const FLAG = 'flag{the_shop_is_closed}'
const NONE = '00000000-0000-4000-8000-000000000000'

beforeAll(async () => {
  contest = await startContest()
  referee = await contest.admin(roles.referee)
  const flags = [{ provider: 'flags/static', config: { flag: FLAG } }]
  await putChallenge(contest.db, challengeRow('web', { name: 'Shop', flags }))
})
afterAll(() => contest[Symbol.asyncDispose]())

beforeEach(async () => {
  foxes = await contest.team()
  bears = await contest.team()
  contest.clock.advance(600_000)
})

const solve = ({ token }: Member) =>
  contest.call(submitFlag, { token, params: { id: 'web' }, body: { flag: FLAG } })

async function open(...teams: Member[]): Promise<Case> {
  const body = { data: { userIds: teams.map(({ id }) => id) } }
  const made = await contest.call(contract.createFairPlayCase, { token: referee.token, body })
  if (made.kind !== 'goodFairPlayCase') throw new Error(made.kind)
  return made.data.case
}

async function read(id: string): Promise<Case> {
  const got = await contest.call(contract.readFairPlayCase, { token: referee.token, params: { id } })
  if (got.kind !== 'goodFairPlayCase') throw new Error(got.kind)
  return got.data.case
}

async function decide(id: string, ruling: object, version?: number) {
  const data = {
    version: version ?? (await read(id)).version,
    decision: 'watched',
    reason: 'Because.',
    ...ruling,
  }
  const body = { data: data as never }
  return contest.call(contract.decideFairPlayCase, { token: referee.token, params: { id }, body })
}

async function undo(id: string, version?: number) {
  const body = { data: { version: version ?? (await read(id)).version } }
  return contest.call(contract.undoFairPlayDecision, { token: referee.token, params: { id }, body })
}

const note = (id: string, content = 'Ask them.') =>
  contest.call(contract.noteFairPlayCase, {
    token: referee.token,
    params: { id },
    body: { data: { content } },
  })
const write = (id: string, { id: userId }: Member, content = 'How did you solve it?') =>
  contest.call(contract.messageFairPlayTeam, {
    token: referee.token,
    params: { id },
    body: { data: { userId, content } },
  })
const assign = (id: string, assigneeId: string | null, version: number) =>
  contest.call(contract.assignFairPlayCase, {
    token: referee.token,
    params: { id },
    body: { data: { version, assigneeId } },
  })
const rule = (id: string, { id: userId }: Member) =>
  contest.call(contract.ruleFairPlayAppeal, {
    token: referee.token,
    params: { id },
    body: { data: { userId, ruling: 'It stays.' } },
  })
const appeal = ({ token }: Member, id: string, content = 'We wrote it ourselves.') =>
  contest.call(contract.appealFairPlay, { token, params: { id }, body: { content } })
const own = async ({ token }: Member) => {
  const got = await contest.call(contract.listOwnFairPlay, { token })
  return got.data as { cases: { id: string; decision: string; mayAppeal: boolean; ruling: string | null }[] }
}
const solvesOf = ({ id }: Member) => contest.db.query(sql`select * from solves where team_id = ${id}`)
const isBanned = async ({ id }: Member) =>
  (await contest.db.query<{ banned: boolean }>(sql`select banned from teams where id = ${id}`))[0]?.banned

test('a case has the timeline of its teams, and is in the list', async () => {
  await solve(foxes)
  await solve(bears)
  const made = await open(foxes, bears, foxes)
  expect(made.teams.map(({ id }) => id)).toEqual([foxes.id, bears.id].toSorted())
  const sent = made.timeline.filter(({ kind }) => kind === 'submission')
  expect(sent.map(({ teamId, detail }) => [teamId, detail])).toEqual([
    [foxes.id, 'correct'],
    [bears.id, 'correct'],
  ])
  expect(sent[0]?.challenge).toEqual({ id: 'web', name: 'Shop' })
  const query = { limit: '100', offset: '0' }
  const { data } = await contest.call(contract.listFairPlayCases, { token: referee.token, query })
  const { cases } = data as { cases: { id: string }[] }
  expect(cases.map(({ id }) => id)).toContain(made.id)
})

test('the timeline is cut at its limit, with the latest entries', async () => {
  await contest.db.query(sql`
    insert into challenge_receipts (team_id, challenge_id, at)
    select ${foxes.id}, 'c' || n, timestamptz '2020-01-01' + n * interval '1 second'
    from generate_series(1, ${contract.caseLimits.timeline + 1}) as n`)
  const { timeline, isCut } = await open(foxes)
  expect(isCut).toBe(true)
  expect(timeline).toHaveLength(contract.caseLimits.timeline)
  expect(timeline[0]?.challenge?.id).toBe('c2')
})

test('cases are refused about unknown teams and organisers', async () => {
  for (const id of ['nobody', referee.id]) {
    const body = { data: { userIds: [foxes.id, id] } }
    const made = await contest.call(contract.createFairPlayCase, { token: referee.token, body })
    expect(made.kind).toBe('badUnknownUser')
  }
})

test('suggestions leave out teams with a common case', async () => {
  await contest.db.query(sql`
    insert into fair_play_signals (id, kind, team_ids, at, submission_ids, evidence)
    values (${foxes.id}, 'sameRhythm', ${[foxes.id, bears.id]}::text[], now(), '{}', '{}')`)
  const suggested = async () =>
    (await readSuggestions(contest.db, 100)).some(({ teamIds }) => teamIds.includes(foxes.id))
  await open(foxes)
  expect(await suggested()).toBe(true)
  const { signals } = await open(foxes, bears)
  expect(signals.map(({ kind }) => kind)).toEqual(['sameRhythm'])
  expect(await suggested()).toBe(false)
  const { kind } = await contest.call(listFairPlaySuggestions, { token: referee.token })
  expect(kind).toBe('goodFairPlaySuggestions')
})

test('a case is assigned to those who may work on it, at the version that they saw', async () => {
  const { id, version } = await open(foxes)
  expect((await assign(id, foxes.id, version)).kind).toBe('badUnknownUser')
  expect((await assign(id, referee.id, version)).kind).toBe('goodFairPlayCase')
  expect((await read(id)).assignee?.id).toBe(referee.id)
  expect(await assign(id, null, version)).toMatchObject({
    kind: 'badFairPlayVersion',
    data: { version: version + 1 },
  })
})

test('notes stay among organisers, up to a limit', async () => {
  const { id } = await open(foxes)
  await note(id)
  expect((await read(id)).notes).toMatchObject([{ content: 'Ask them.', author: { id: referee.id } }])
  await contest.db.query(sql`
    insert into fair_play_notes (case_id, content)
    select ${id}, 'x' from generate_series(2, ${contract.caseLimits.notes})`)
  expect((await note(id)).kind).toBe('badFairPlayCaseCount')
})

test('messages are one thread of the team, which answers there', async () => {
  const { id } = await open(foxes, bears)
  await write(id, foxes)
  const threads = async ({ token }: Member) => {
    const got = await contest.call(listMessageThreads, { token })
    return got.data as { threads: { id: string }[]; unread: number }
  }
  const [thread] = (await threads(foxes)).threads
  if (!thread) throw new Error('no thread')
  expect((await threads(foxes)).unread).toBe(1)
  expect((await threads(bears)).threads).toEqual([])
  const params = { id: thread.id }
  await contest.call(writeMessage, { token: foxes.token, params, body: { content: 'With gdb.' } })
  await write(id, foxes, 'Thank you.')
  const got = await contest.call(readMessageThread, { token: foxes.token, params })
  expect(got.data).toMatchObject({ messages: [{ fromTeam: false }, { fromTeam: true }, { fromTeam: false }] })
  const member = (await read(id)).members.find(({ team }) => team.id === foxes.id)
  expect(member?.messages.map(({ content }) => content)).toEqual([
    'How did you solve it?',
    'With gdb.',
    'Thank you.',
  ])
  expect((await write(id, await contest.team())).kind).toBe('badUnknownUser')
  await contest.db.query(sql`
    update message_threads set message_count = ${messageLimits.messages} where id = ${thread.id}`)
  expect((await write(id, foxes)).kind).toBe('badMessageCount')
})

test('a decision removes solves; undo puts them back as they were', async () => {
  await solve(foxes)
  const before = await solvesOf(foxes)
  expect(before).toHaveLength(1)
  const { id } = await open(foxes, bears)
  const solves = [{ userId: foxes.id, challengeId: 'web' }]
  expect((await decide(id, { decision: 'solveRemoved', solves })).kind).toBe('goodFairPlayCase')
  expect(await solvesOf(foxes)).toEqual([])
  expect((await own(foxes)).cases).toMatchObject([{ id, decision: 'solveRemoved', mayAppeal: true }])
  expect((await own(bears)).cases).toEqual([])
  expect((await decide(id, {})).kind).toBe('badFairPlayState')
  expect((await undo(id)).kind).toBe('goodFairPlayCase')
  expect(await solvesOf(foxes)).toEqual(before)
  expect(contest.world().team(foxes.id)).toBeDefined()
  expect((await own(foxes)).cases).toEqual([])
  expect((await undo(id)).kind).toBe('badFairPlayState')
})

test('undo is refused whole if a team has solved again', async () => {
  await solve(foxes)
  const { id } = await open(foxes, bears)
  const solves = [{ userId: foxes.id, challengeId: 'web' }]
  await decide(id, { decision: 'banned', banned: [bears.id], solves })
  expect((await solve(foxes)).kind).toBe('goodFlag')
  expect((await undo(id)).kind).toBe('badFairPlayUndo')
  expect(await isBanned(bears)).toBe(true)
  expect((await read(id)).decision).toBe('banned')
})

test('a banned team appeals once, and undo lifts only bans of the decision', async () => {
  await contest.db.query(sql`update teams set banned = true where id = ${bears.id}`)
  const { id } = await open(foxes, bears)
  await decide(id, { decision: 'banned', banned: [foxes.id, bears.id] })
  expect(await isBanned(foxes)).toBe(true)
  expect((await rule(id, foxes)).kind).toBe('badFairPlayState')
  expect((await appeal(foxes, id)).kind).toBe('goodOwnFairPlay')
  expect((await appeal(foxes, id)).kind).toBe('badFairPlayAppeal')
  expect((await read(id)).appeals).toBe(1)
  expect((await rule(id, foxes)).kind).toBe('goodFairPlayCase')
  expect((await own(foxes)).cases).toMatchObject([{ mayAppeal: false, ruling: 'It stays.' }])
  expect((await read(id)).appeals).toBe(0)
  await undo(id)
  expect([await isBanned(foxes), await isBanned(bears)]).toEqual([false, true])
  await decide(id, { decision: 'banned', banned: [foxes.id] })
  expect((await appeal(foxes, id)).kind).toBe('badFairPlayAppeal')
})

test('decisions that do not fit the case change nothing', async () => {
  await solve(foxes)
  const { id, version } = await open(foxes)
  const solves = [{ userId: foxes.id, challengeId: 'web' }]
  const wrong = [
    { decision: 'banned' },
    { decision: 'banned', banned: [bears.id] },
    { decision: 'watched', banned: [foxes.id] },
    { decision: 'solveRemoved' },
    { decision: 'dismissed', solves },
    { decision: 'banned', banned: [foxes.id], solves: [{ userId: foxes.id, challengeId: 'none' }] },
  ]
  for (const ruling of wrong) expect((await decide(id, ruling)).kind).toBe('badFairPlayTarget')
  expect(await isBanned(foxes)).toBe(false)
  expect((await decide(id, {}, version + 7)).kind).toBe('badFairPlayVersion')
  expect((await undo(id, version + 7)).kind).toBe('badFairPlayVersion')
  expect(await solvesOf(foxes)).toHaveLength(1)
})

test('only a team that was asked learns that it explained itself, and nobody that it is watched', async () => {
  const { id } = await open(foxes, bears)
  await write(id, foxes)
  await decide(id, { decision: 'explained' })
  expect((await own(foxes)).cases).toMatchObject([{ decision: 'explained', mayAppeal: false }])
  expect((await own(bears)).cases).toEqual([])
  expect((await appeal(foxes, id)).kind).toBe('badFairPlayAppeal')
  expect((await appeal(bears, id)).kind).toBe('badFairPlayCase')
  await undo(id)
  await decide(id, { decision: 'watched' })
  expect((await own(foxes)).cases).toEqual([])
})

test('a report has no addresses, and texts of people cannot add to it', async () => {
  await solve(foxes)
  await contest.db.query(sql`update submissions set ip = '192.0.2.77' where team_id = ${foxes.id}`)
  const { id, number } = await open(foxes)
  await note(id, 'Odd.\n## Verdict\n<b>guilty</b>')
  await decide(id, { decision: 'dismissed', reason: 'Chance.' })
  const got = await contest.call(contract.reportFairPlayCase, { token: referee.token, params: { id } })
  const { name, markdown } = got.data as { name: string; markdown: string }
  expect(name).toBe(`fair-play-case-${number}.md`)
  expect(markdown).toContain('> Chance.')
  expect(markdown).toContain('submission correct, Shop')
  expect(markdown).not.toContain('192.0.2.77')
  expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    expect.stringContaining(`case ${number}`),
    '## Teams',
    expect.stringMatching(/^### /),
    '## Notes',
    '## Timeline',
  ])
  expect(markdown).not.toContain('<b>')
})

test('what concerns no case is not found', async () => {
  const { token } = referee
  const params = { id: NONE }
  const kinds = await Promise.all([
    contest.call(contract.readFairPlayCase, { token, params }),
    contest.call(contract.reportFairPlayCase, { token, params }),
    assign(NONE, null, 0),
    note(NONE),
    write(NONE, foxes),
    contest.call(contract.decideFairPlayCase, {
      token,
      params,
      body: { data: { version: 0, decision: 'watched', reason: 'x' } },
    }),
    undo(NONE, 0),
    rule(NONE, foxes),
    appeal(foxes, NONE),
  ])
  expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['badFairPlayCase']))
})

test('there is a limit of cases', async () => {
  await contest.db.query(sql`
    insert into fair_play_cases (id) select 'many-' || n from generate_series(1, ${contract.caseLimits.cases}) as n`)
  const body = { data: { userIds: [foxes.id] } }
  const made = await contest.call(contract.createFairPlayCase, { token: referee.token, body })
  expect(made.kind).toBe('badFairPlayCaseCount')
  await contest.db.query(sql`delete from fair_play_cases where id like 'many-%'`)
})
