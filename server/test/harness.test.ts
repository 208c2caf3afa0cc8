import { expect, test } from 'vitest'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { startContest } from './harness.ts'

test('a contest starts, and a team reads its profile and the empty list', async () => {
  await using contest = await startContest()
  const team = await contest.team('Foxes')
  const me = await contest.call(readOwnProfileV2, { token: team.token })
  expect(me).toMatchObject({ kind: 'goodUserSelfData', data: { name: 'Foxes', perms: 0 } })
  expect(await contest.call(listChallengesV2, { token: team.token })).toMatchObject({
    kind: 'goodChallenges',
    data: [],
  })
})
