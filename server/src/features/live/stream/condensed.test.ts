import { expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { openStream, STREAM_SOLVES } from '@pennant/contract/stream.ts'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest } from '../../../../test/harness.ts'
import { eventsIn, readStream, type ReceivedEvent } from '../../../../test/stream.ts'

const TEAMS = 12
const CHALLENGES = ['first', 'second', 'third', 'fourth']

/** Adds an entry for each challenge at once, with a solve of each team. */
async function solveAll({ db }: Contest, teamIds: readonly string[]): Promise<void> {
  await db.change(async (tx) => {
    for (const id of CHALLENGES) {
      await tx.query(sql`
        insert into solves (id, challenge_id, team_id, created_at, ip)
        select gen_random_uuid(), ${id}, team_id, ${new Date(noon)}::timestamptz + n * interval '1 second', '203.0.113.1'
        from unnest(${teamIds}::text[]) with ordinality as t (team_id, n)`)
      const ids = teamIds.flatMap((teamId) => [id, teamId])
      await tx.query(sql`insert into changes (kind, ids) values ('solves', ${ids}::text[])`)
    }
    // The transaction reports a change, as those of the product do.
    tx.changed('teams', teamIds.slice(0, 1))
  })
}

const solvesOf = (events: readonly ReceivedEvent[]) => events.filter(({ name }) => name === 'solves')

test('of many solves at once, everyone gets the newest and the bloods, and each team its own', async () => {
  await using contest = await startContest()
  for (const id of CHALLENGES) await putChallenge(contest.db, challengeRow(id))
  const teams = []
  for (let n = 0; n < TEAMS; n += 1) teams.push(await contest.team(`team ${n}`))
  const own = teams.at(-2)
  const anonymous = await readStream(contest.url)
  const signedIn = await readStream(contest.url, { token: own?.token ?? '' })
  await anonymous.next('hello')
  await signedIn.next('hello')
  const position = anonymous.lastEventId()
  await solveAll(
    contest,
    teams.map(({ id }) => id),
  )
  for (const reader of [anonymous, signedIn])
    await eventually(() => expect(solvesOf(reader.events).length).toBe(CHALLENGES.length))

  const counts = ({ events }: { readonly events: readonly ReceivedEvent[] }) =>
    solvesOf(events).map(({ data }) => [data.solves.length, data.omitted ?? 0])
  // The newest two entries have more than STREAM_SOLVES.
  expect(2 * TEAMS).toBeGreaterThan(STREAM_SOLVES)
  expect(counts(anonymous)).toEqual([
    [3, 9],
    [3, 9],
    [12, 0],
    [12, 0],
  ])
  expect(counts(signedIn)).toEqual([
    [4, 8],
    [4, 8],
    [12, 0],
    [12, 0],
  ])
  const [oldest] = solvesOf(signedIn.events)
  expect(oldest?.data.solves.at(-1)).toMatchObject({
    userId: own?.id,
    challengeId: 'first',
    bloodIndex: null,
  })

  const headers = { 'last-event-id': position ?? '' }
  const polled = await contest.call(openStream, { headers, token: own?.token })
  expect(counts({ events: polled.kind === 'goodStream' ? eventsIn(polled.data) : [] })).toEqual(
    counts(signedIn),
  )

  // A stream that resumes gets all of them.
  const resumed = await readStream(contest.url, { lastEventId: position })
  await eventually(() => expect(counts(resumed)).toEqual(CHALLENGES.map(() => [12, 0])))
  for (const reader of [anonymous, signedIn, resumed]) reader.close()
})
