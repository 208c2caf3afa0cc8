import { listScores } from '@pennant/contract/scores.ts'
import { listHints } from '@pennant/contract/hints.ts'
import { listScoreAdjustments } from '@pennant/contract/score-adjustments.ts'
import { readStatus } from '@pennant/contract/status.ts'
import { readNextWave } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { noon, startContest } from '../../../test/harness.ts'
import { pushedChallenge } from './challenges.ts'
import { demoConfig, timesOf } from './event.ts'
import { seedContest } from './seed.ts'

test('the example event has something of everything that organisers can do', async () => {
  const times = timesOf('live', noon)
  await using contest = await startContest({ config: { ...demoConfig, ...times } })
  const { db, call } = contest
  const { id: organiserId } = await contest.admin()
  const tokenOf = (teamId: string) => contest.app.stores.tokens.issueAuth(teamId)
  const cast = await seedContest({ db, call, organiserId, tokenOf, teams: 30, ...times, now: noon, live: [] })
  const token = tokenOf(cast.playerId)
  expect(await call(readStatus, {})).toMatchObject({ data: { incidents: [{ state: 'monitoring' }] } })
  expect(await call(readNextWave, {})).toMatchObject({ data: { next: { name: 'Finale', count: 2 } } })
  const hints = await call(listHints, { token, params: { id: 'two-time-pad' } })
  expect(hints).toMatchObject({ data: { hints: [{ price: 0 }, { price: 50, text: null }] } })
  const awarded = await call(listScoreAdjustments, { params: { id: cast.playerId } })
  expect(awarded).toMatchObject({ data: { adjustments: [{ points: 40 }] } })
  const scores = await call(listScores, {
    params: { id: pushedChallenge.id },
    query: { limit: '10', offset: '0' },
  })
  expect(scores.kind === 'goodChallengeScores' && scores.data.scores.length).toBeGreaterThan(0)
  const cheats = await db.query(sql`
    select from submissions join teams on teams.id = team_id
    where banned and details ->> 'cheatedFrom' = ${cast.rivalId}`)
  expect(cheats.length).toBeGreaterThan(0)
})
