import { removeTeamPerson, setOwnToken } from '@pennant/contract/people.ts'
import { startMessageThread } from '@pennant/contract/messages.ts'
import { expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'
import { eventually } from '../../../../test/eventually.ts'
import { readStream } from '../../../../test/stream.ts'

test('a token of another site gets no events of private messages, which it may not read either', async () => {
  await using contest = await startContest()
  const { id, token } = await contest.team()
  const own = await readStream(contest.url, { token })
  const external = await readStream(contest.url, {
    token: contest.app.stores.tokens.issueExternal(id, contest.clock.now()),
  })
  await Promise.all([own.next('hello'), external.next('hello')])
  const body = { subject: 'Private', content: 'How?' }
  expect((await contest.call(startMessageThread, { token, body })).kind).toBe('goodMessageSend')
  await own.next('message')
  await putChallenge(contest.db, challengeRow('later'))
  // Sent after it to both.
  await external.next('challenges')
  expect(external.events.map(({ name }) => name)).not.toContain('message')
  own.close()
  external.close()
})

test('streams end for a person who was removed, and for the own token once it is off, and only for them', async () => {
  await using contest = await startContest()
  await using beside = await startContest({ beside: contest })
  const team = await contest.team()
  const [captain, member] = [
    await personIn(contest, team.id, { isCaptain: true }),
    await personIn(contest, team.id),
  ]
  await beside.app.stores.follower.catchUp()
  const streams = await Promise.all(
    [captain, member, team].map(({ token }) => readStream(beside.url, { token })),
  )
  await Promise.all(streams.map((each) => each.next('hello')))
  const [ofCaptain, ofMember, ofTeam] = streams
  await contest.call(removeTeamPerson, { token: captain.token, params: { id: member.id } })
  await eventually(() => expect(ofMember?.isEnded()).toBe(true))
  expect(ofTeam?.isEnded()).toBe(false)
  await contest.call(setOwnToken, { token: captain.token, body: { isOn: false } })
  await eventually(() => expect(ofTeam?.isEnded()).toBe(true))
  expect(ofCaptain?.isEnded()).toBe(false)
  ofCaptain?.close()
})
