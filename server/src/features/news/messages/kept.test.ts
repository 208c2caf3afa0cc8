import { deleteChallenge } from '@pennant/contract/admin-challenges.ts'
import * as contract from '@pennant/contract/messages.ts'
import { expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { withoutCaches } from '../../../lib/caching.ts'
import { answer, ask } from '../../../../test/message-threads.ts'

async function listAt(contest: Contest, { token }: Member) {
  await contest.app.stores.follower.catchUp()
  const listed = await contest.call(contract.listMessageThreads, { token })
  if (listed.kind !== 'goodMessageThreads') throw new Error(listed.kind)
  return listed.data
}

const twice = (value: object) => [value, value]

test('what a process keeps follows the changes of every process', async () => {
  await using one = await startContest()
  await using two = await startContest({ beside: one })
  const [team, organiser] = [await one.team(), await one.admin()]
  await putChallenge(one.db, challengeRow('web'))
  const both = async () => [await listAt(one, team), await listAt(two, team)]
  expect((await both()).map(({ threads }) => threads)).toEqual([[], []])

  const { id } = await ask(one, team, { challengeId: 'web' })
  await answer(one, organiser, { id })
  expect(await both()).toMatchObject(twice({ unread: 1, threads: [{ id, challengeId: 'web' }] }))
  await two.call(contract.markMessagesRead, { token: team.token, params: { id }, body: { number: 2 } })
  expect(await both()).toMatchObject(twice({ unread: 0 }))

  await one.call(deleteChallenge, { token: organiser.token, params: { id: 'web' } })
  expect(await both()).toMatchObject(twice({ threads: [{ challengeId: null }] }))

  const { token } = organiser
  const read = await one.call(contract.readMessageOptions, { token })
  if (read.kind !== 'goodMessageOptions') throw new Error(read.kind)
  const data = { version: read.data.options.version, enabled: false }
  await one.call(contract.updateMessageOptions, { token, body: { data } })
  expect(await both()).toMatchObject(twice({ state: 'off' }))
})

test('a team without news costs no query, and one that never wrote none at all', async () => {
  await using contest = await startContest()
  const [first, team] = [await contest.team(), await contest.team()]
  await listAt(contest, first)
  const { query } = contest.db
  const asked: string[] = []
  contest.db.query = ((statement, ...more) => {
    asked.push(statement.sql)
    return query(statement, ...more)
  }) as typeof query
  const messageQueries = () => asked.splice(0).filter((text) => /message/.test(text)).length
  await listAt(contest, team)
  expect(messageQueries()).toBe(0)
  await withoutCaches(() => listAt(contest, team))
  expect(messageQueries()).toBe(2)
  await ask(contest, team, {})
  messageQueries()
  for (const queries of [1, 0]) {
    expect((await listAt(contest, team)).threads).toHaveLength(1)
    expect(messageQueries()).toBe(queries)
  }
  expect((await listAt(contest, first)).threads).toEqual([])
  expect(messageQueries()).toBe(0)
  contest.db.query = query
})
