import * as contract from '@pennant/contract/messages.ts'
import { permissions, roles } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { adminThread, answer, ask } from '../../../../test/message-threads.ts'

let contest: Contest
let team: Member
let one: Member
let two: Member
let author: Member

beforeEach(async () => {
  contest = await startContest()
  team = await contest.team('anchor')
  one = await contest.admin(roles.support)
  two = await contest.admin()
  author = await contest.admin(roles.author)
  await putChallenge(contest.db, challengeRow('web'))
})
afterEach(() => contest[Symbol.asyncDispose]())

async function queueFor({ token }: Member, filter?: string, challengeId?: string) {
  const query = { limit: '10', offset: '0', filter, challengeId } as never
  const listed = await contest.call(contract.listAdminMessageThreads, { token, query })
  if (listed.kind !== 'goodAdminMessageThreads') throw new Error(listed.kind)
  return listed.data
}

const idsFor = async (member: Member, filter?: string, challengeId?: string) =>
  (await queueFor(member, filter, challengeId)).threads.map(({ id }) => id)

/** What the contract checks at run time. */
type Changes = Readonly<Record<string, unknown>> & { readonly version: number }

const update = ({ token }: Member, id: string, data: Changes) =>
  contest.call(contract.updateMessageThread, { token, params: { id }, body: { data } as never })

const reply = ({ token }: Member, id: string, data: Changes) =>
  contest.call(contract.answerMessageThread, {
    token,
    params: { id },
    body: { data: { content: 'Answer', ...data } } as never,
  })

const versionOf = async (id: string) => (await adminThread(contest, two, id)).thread.version

describe('the queue', () => {
  test('has filters, and lists who waits longest first', async () => {
    const first = await ask(contest, team, { challengeId: 'web' })
    const second = await ask(contest, await contest.team())
    const third = await ask(contest, await contest.team())
    expect(await idsFor(one)).toEqual([first.id, second.id, third.id])
    const named = await adminThread(contest, one, first.id)
    expect(named.thread.challengeName).toBe('Challenge web')
    await answer(contest, one, { id: second.id })
    await update(one, first.id, { version: await versionOf(first.id), assigneeId: one.id })
    await update(one, third.id, { version: await versionOf(third.id), closed: true })
    expect({
      open: await idsFor(one, 'open'),
      mine: await idsFor(one, 'mine'),
      unassigned: await idsFor(one, 'unassigned'),
      answered: await idsFor(one, 'answered'),
      closed: await idsFor(one, 'closed'),
      all: await idsFor(one, 'all'),
      web: await idsFor(one, 'all', 'web'),
      others: await idsFor(two, 'mine'),
    }).toEqual({
      open: [first.id],
      mine: [second.id, first.id],
      unassigned: [],
      answered: [second.id],
      closed: [third.id],
      all: [second.id, third.id, first.id],
      web: [first.id],
      others: [],
    })
    const { total, counts, threads } = await queueFor(one)
    expect({ total, counts }).toEqual({ total: 1, counts: { open: 1, mine: 2, unassigned: 0 } })
    expect(threads).toMatchObject([{ team: { name: 'anchor' }, assignee: { id: one.id } }])
    const query = { limit: '1', offset: '1', filter: 'all' } as const
    const page = await contest.call(contract.listAdminMessageThreads, { token: one.token, query })
    expect(page).toMatchObject({ data: { total: 3, threads: [{ id: third.id }] } })
    const wrong = { limit: '1000', offset: '0' }
    expect(
      await contest.call(contract.listAdminMessageThreads, { token: one.token, query: wrong }),
    ).toMatchObject({
      kind: 'badBody',
    })
  })

  test('of challenge authors has the questions about challenges only', async () => {
    const about = await ask(contest, team, { challengeId: 'web' })
    const general = await ask(contest, team)
    expect(await idsFor(author)).toEqual([about.id])
    expect((await queueFor(author)).counts).toEqual({ open: 1, mine: 0, unassigned: 1 })
    const params = { id: general.id }
    const replies = [
      await contest.call(contract.readAdminMessageThread, { token: author.token, params }),
      await reply(author, general.id, { version: 2 }),
      await update(author, general.id, { version: 2, closed: true }),
    ]
    expect(replies.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'badMessageThread'))
    expect((await reply(author, about.id, { version: 2 })).kind).toBe('goodAdminMessageUpdate')
    const body = { data: { version: 1, enabled: false } }
    expect((await contest.call(contract.updateMessageOptions, { token: author.token, body })).kind).toBe(
      'badPerms',
    )
    // Those who neither help teams nor write challenges.
    const judge = await contest.admin(roles.judge)
    const token = judge.token
    const refused = [
      await contest.call(contract.listAdminMessageThreads, { token, query: { limit: '1', offset: '0' } }),
      await contest.call(contract.readAdminMessageThread, { token, params: { id: about.id } }),
      await reply(judge, about.id, { version: 2 }),
      await update(judge, about.id, { version: 2 }),
      await contest.call(contract.readMessageOptions, { token }),
    ]
    expect(refused.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'badPerms'))
  })

  test('keeps a thread whose challenge was deleted, as a general one', async () => {
    const { id } = await ask(contest, team, { challengeId: 'web' })
    await contest.db.change(async (tx) => {
      await tx.query(sql`delete from challenges where id = 'web'`)
      tx.changed('challenges', ['web'])
    })
    expect((await adminThread(contest, one, id)).thread).toMatchObject({ challengeId: null })
    expect(await idsFor(author)).toEqual([])
  })
})

describe('two organisers at once', () => {
  test('one claims the thread, the other learns who has it', async () => {
    const { id } = await ask(contest, team)
    const version = await versionOf(id)
    expect(await update(one, id, { version, assigneeId: one.id })).toMatchObject({
      kind: 'goodAdminMessageUpdate',
      data: { thread: { assignee: { id: one.id }, version: version + 1 } },
    })
    expect(await update(two, id, { version, assigneeId: two.id })).toMatchObject({
      kind: 'badMessageVersion',
      data: { version: version + 1, assignee: { id: one.id } },
    })
    expect(await reply(two, id, { version: version + 1 })).toMatchObject({
      kind: 'badMessageAssigned',
      data: { assignee: { id: one.id } },
    })
    // Taking over is possible, but only deliberately.
    await update(two, id, { version: version + 1, assigneeId: two.id })
    expect((await reply(two, id, { version: version + 2 })).kind).toBe('goodAdminMessageUpdate')
    await update(two, id, { version: version + 3, assigneeId: null })
    expect((await adminThread(contest, one, id)).thread.assignee).toBeNull()
  })

  test('one answers, the other gets a conflict instead of answering twice', async () => {
    const { id } = await ask(contest, team)
    const version = await versionOf(id)
    const replies = await Promise.all([reply(one, id, { version }), reply(two, id, { version })])
    expect(replies.map(({ kind }) => kind).toSorted()).toEqual([
      'badMessageVersion',
      'goodAdminMessageUpdate',
    ])
    expect((await adminThread(contest, one, id)).messages).toHaveLength(2)
  })

  test('an answer to a question that the team has just changed is refused', async () => {
    const { id } = await ask(contest, team)
    const version = await versionOf(id)
    await contest.call(contract.writeMessage, {
      token: team.token,
      params: { id },
      body: { content: 'Never mind.' },
    })
    expect(await reply(one, id, { version })).toMatchObject({ kind: 'badMessageVersion' })
  })
})

test('an answer assigns the thread, may close it, and names its author to organisers', async () => {
  const { id } = await ask(contest, team)
  const version = await versionOf(id)
  const answered = await reply(one, id, { version, close: true })
  expect(answered).toMatchObject({
    data: { thread: { closed: true, answered: true, assignee: { id: one.id } } },
  })
  const { messages } = await adminThread(contest, two, id)
  expect(messages).toMatchObject([{ author: null }, { author: { id: one.id } }])
  expect(await update(two, id, { version: version + 1, closed: false })).toMatchObject({
    data: { thread: { closed: false } },
  })
  const actions = await contest.db.query(sql`select action, target, keys from admin_actions order by id`)
  expect(actions).toEqual([
    { action: 'message.answer', target: id, keys: ['content', 'close'] },
    { action: 'message.update', target: id, keys: ['closed'] },
  ])
})

test('only organisers who may answer can be assigned', async () => {
  const { id } = await ask(contest, team)
  const version = await versionOf(id)
  for (const assigneeId of ['none', team.id, (await contest.admin(permissions.settingsWrite)).id])
    expect(await update(one, id, { version, assigneeId })).toMatchObject({ kind: 'badUnknownUser' })
  // A general question would be out of the author's sight.
  expect(await update(one, id, { version, assigneeId: author.id })).toMatchObject({ kind: 'badUnknownUser' })
  expect(await update(one, id, { version, assigneeId: two.id })).toMatchObject({
    kind: 'goodAdminMessageUpdate',
  })
  const aboutWeb = await ask(contest, team, { challengeId: 'web' })
  const offered = async (threadId: string) =>
    new Set((await adminThread(contest, one, threadId)).assignable.map((each) => each.id))
  expect(await offered(id)).toEqual(new Set([one.id, two.id]))
  expect(await offered(aboutWeb.id)).toEqual(new Set([one.id, two.id, author.id]))
  expect(
    await update(one, aboutWeb.id, { version: await versionOf(aboutWeb.id), assigneeId: author.id }),
  ).toMatchObject({ kind: 'goodAdminMessageUpdate' })
  const missing = [
    await reply(one, 'none', { version: 1 }),
    await update(one, 'none', { version: 1 }),
    await contest.call(contract.readAdminMessageThread, { token: one.token, params: { id: 'none' } }),
  ]
  expect(missing.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'badMessageThread'))
})

test('canned answers are a list that two organisers cannot overwrite for each other', async () => {
  const save = (data: Changes) =>
    contest.call(contract.updateMessageOptions, { token: one.token, body: { data } as never })
  const answers = [{ title: 'Flag format', content: 'It is in the rules.' }]
  expect(await save({ version: 1, answers })).toMatchObject({ data: { options: { answers, version: 2 } } })
  expect(await save({ version: 1, answers: [] })).toMatchObject({
    kind: 'badMessageVersion',
    data: { version: 2, assignee: null },
  })
  const many = Array.from({ length: 51 }, () => answers[0])
  expect(await save({ version: 2, answers: many })).toMatchObject({ kind: 'badBody' })
  const read = await contest.call(contract.readMessageOptions, { token: author.token })
  expect(read).toMatchObject({ data: { options: { answers, enabled: true } } })
})
