import { listAnnouncements } from '@pennant/contract/announcements.ts'
import { listMessageThreads } from '@pennant/contract/messages.ts'
import { expect, test } from 'vitest'
import { noon, startContest } from '../../../test/harness.ts'
import { fillTexts } from './texts.ts'

test('the demo has announcements, an answered question and one that waits', async () => {
  await using contest = await startContest()
  const [organiser, player] = [await contest.admin(), await contest.team()]
  const tokens = { organiser: organiser.token, player: player.token }
  await fillTexts({ call: contest.call, ...tokens, startTime: noon - 1000 })
  const announced = await contest.call(listAnnouncements, {})
  // The others are scheduled.
  expect(announced).toMatchObject({ data: { announcements: [{ title: 'Welcome aboard' }] } })
  const threads = await contest.call(listMessageThreads, { token: player.token })
  expect(threads).toMatchObject({ data: { unread: 1, state: 'open' } })
})
