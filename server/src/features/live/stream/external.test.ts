import { startMessageThread } from '@pennant/contract/messages.ts'
import { expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest } from '../../../../test/harness.ts'
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
