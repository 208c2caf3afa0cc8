import { listActions } from '@pennant/contract/actions.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setBanned } from '../../../../test/contest-data.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { hmac, push, pushRaw, putDynamic } from '../../../../test/pushes.ts'
import { removeTeam } from '../../../../test/team-rows.ts'
import { pushLogJob } from './push-log.ts'

let contest: Contest
let ants: Member
let bees: Member
let wasps: Member

beforeAll(async () => {
  contest = await startContest()
  ants = await contest.team('Ants')
  bees = await contest.team('Bees')
  wasps = await contest.team('Wasps')
})
afterAll(() => contest[Symbol.asyncDispose]())

let hills = 0
async function newHill(): Promise<string> {
  const id = `hill-${(hills += 1)}`
  await putDynamic(contest, id)
  return id
}

interface Row {
  readonly team: string
  readonly points: number
  readonly delta: number
  readonly scored: number
  readonly tick: number
}

const rowsOf = (id: string) =>
  contest.db.query<Row>(sql`
    select name as team, points, delta, extract(epoch from scored_at)::float8 as scored,
      extract(epoch from tick_at)::float8 as tick
    from feed_scores join teams on teams.id = team_id where challenge_id = ${id} order by name`)

const eventsOf = (id: string) =>
  contest.db.query<{ team: string; delta: number; at: number }>(sql`
    select name as team, delta, extract(epoch from at)::float8 as at
    from feed_events join teams on teams.id = team_id where challenge_id = ${id} order by feed_events.id`)

const countOf = async (kind: string) => {
  const [row] = await contest.db.query<{ count: number }>(sql`
    select count(*) from changes where kind = ${kind}`)
  return row?.count
}

describe('a push', () => {
  test('sets scores and counts inserted, updated and deleted ones', async () => {
    const id = await newHill()
    const score = ({ id: userId }: Member, points: number) => ({ userId, points })
    expect(await push(contest, id, [score(ants, 10), score(bees, -5), score(wasps, 0)])).toBe('2 0 0')
    const [first] = await rowsOf(id)
    expect(await push(contest, id, [score(ants, 12), score(bees, -5)])).toBe('0 1 0')
    const [updated, kept] = await rowsOf(id)
    expect(updated).toMatchObject({ team: 'Ants', points: 12, delta: 2, scored: first?.scored })
    expect(kept).toMatchObject({ team: 'Bees', points: -5, delta: -5, tick: first?.tick })
    expect(await push(contest, id, [score(ants, 0), score(bees, 1)])).toBe('0 1 1')
    expect(await push(contest, id, [score(ants, 3)])).toBe('1 0 0')
    const [again] = await rowsOf(id)
    // A new score after it was cleared.
    expect(again).toMatchObject({ points: 3, delta: 3, scored: again?.tick })
    const events = await eventsOf(id)
    expect(events.map(({ team, delta }) => [team, delta])).toEqual([
      ['Ants', 10],
      ['Bees', -5],
      ['Ants', 2],
      ['Ants', -12],
      ['Bees', 6],
      ['Ants', 3],
    ])
    const ticks = events.map(({ at }) => at)
    expect([ticks[0], ticks[3]]).toEqual([ticks[1], ticks[4]])
    expect(new Set(ticks).size).toBe(4)
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
  })

  test('uses the last of several entries for a team, and skips unknown and banned teams', async () => {
    const id = await newHill()
    const gone = await contest.team()
    const cheats = await contest.team()
    await removeTeam(contest, gone.id)
    await setBanned(contest.db, cheats.id, true)
    const scores = [
      { userId: ants.id, points: 1 },
      { userId: 'nobody', points: 1 },
      { userId: '', points: 1 },
      { userId: 'x'.repeat(5000), points: 1 },
      { userId: '__proto__', points: 1 },
      { userId: cheats.id, points: 1 },
      { userId: gone.id, points: 1 },
      { userId: ants.id, points: 0 },
      { userId: ants.id, points: 7 },
    ]
    expect(await push(contest, id, scores)).toBe('1 0 0')
    expect((await rowsOf(id)).map(({ team, points }) => [team, points])).toEqual([['Ants', 7]])
  })

  test('accepts the full range of scores, and a change from one end to the other', async () => {
    const id = await newHill()
    const [lowest, highest] = [-2_147_483_648, 2_147_483_647]
    expect(await push(contest, id, [{ userId: ants.id, points: lowest }])).toBe('1 0 0')
    expect(await push(contest, id, [{ userId: ants.id, points: highest }])).toBe('0 1 0')
    expect(contest.world().dynamicScore(id, ants.id)).toMatchObject({ points: highest, delta: 4_294_967_295 })
    expect(await push(contest, id, [{ userId: ants.id, points: -0 }])).toBe('0 0 1')
  })

  test('writes to the change log only if it changed something', async () => {
    const id = await newHill()
    const scores = [{ userId: ants.id, points: 4 }]
    const before = await countOf('pushes')
    expect(await push(contest, id, [])).toBe('0 0 0')
    expect(await push(contest, id, [{ userId: ants.id, points: 0 }])).toBe('0 0 0')
    expect(await countOf('pushes')).toBe(before)
    expect(await push(contest, id, scores)).toBe('1 0 0')
    expect(await push(contest, id, scores)).toBe('0 0 0')
    expect(await countOf('pushes')).toBe(Number(before) + 1)
  })

  test('to a challenge that was deleted or changed its kind in the meantime counts nothing', async () => {
    const [deleted, turned] = [await newHill(), await newHill()]
    // Changed directly in the database: this process still accepts pushes for both.
    await contest.db.query(sql`delete from challenges where id = ${deleted}`)
    await contest.db.query(sql`update challenges set scoring_kind = 'decay' where id = ${turned}`)
    for (const id of [deleted, turned]) {
      expect(await push(contest, id, [{ userId: ants.id, points: 4 }])).toBe('0 0 0')
      expect(await rowsOf(id)).toEqual([])
    }
  })

  test('of ten thousand teams is one statement, and all of it is visible', async () => {
    await using large = await startContest()
    await putDynamic(large, 'hill')
    await large.db.change(async (tx) => {
      const rows = await tx.query<{ id: string }>(sql`
        insert into teams (id, name, email, division)
        select 'many-' || i, 'Many ' || i, i || '@many.test', 'open' from generate_series(1, 10000) i returning id`)
      tx.changed(
        'teams',
        rows.map(({ id }) => id),
      )
    })
    const scores = (plus: number) =>
      Array.from({ length: 10_000 }, (_, i) => ({ userId: `many-${i + 1}`, points: i + plus }))
    expect(await push(large, 'hill', scores(1))).toBe('10000 0 0')
    expect(await push(large, 'hill', scores(0))).toBe('0 9999 1')
    expect(large.world().challenge('hill')?.solveCount).toBe(9999)
    expect(large.world().dynamicScore('hill', 'many-10000')).toMatchObject({ points: 9999, delta: -1 })
    const cleared = scores(0).map(({ userId }) => ({ userId, points: 0 }))
    expect(await push(large, 'hill', cleared)).toBe('0 0 9999')
  })
})

describe('the same push again', () => {
  const bodyOf = (points: number) => JSON.stringify({ scores: [{ userId: ants.id, points }] })

  test('changes and counts nothing, so it cannot undo a newer one', async () => {
    const id = await newHill()
    const [old, newer] = [bodyOf(5), bodyOf(6)]
    const timestamp = String(contest.clock.now())
    const counts = async (body: string, prefix = `${timestamp}.`) => {
      const signature = `sha256=${hmac(body, prefix)}`
      return Object.values((await pushRaw(contest, id, { body, timestamp, signature })).data).join(' ')
    }
    expect(await counts(old)).toBe('1 0 0')
    expect(await counts(newer)).toBe('0 1 0')
    expect(await counts(old)).toBe('0 0 0')
    // The same push signed in the other format counts as a replay.
    expect(await counts(old, `${timestamp}.${id}.`)).toBe('0 0 0')
    expect(await rowsOf(id)).toMatchObject([{ points: 6 }])
    expect(await push(contest, id, [{ userId: ants.id, points: 5 }])).toBe('0 1 0')
  })

  test('is recognized for as long as its timestamp is valid', async () => {
    const id = await newHill()
    const timestamp = String(contest.clock.now() + 300_000)
    const send = () => pushRaw(contest, id, { body: bodyOf(5), timestamp })
    expect((await send()).data).toMatchObject({ inserted: 1 })
    expect(await push(contest, id, [{ userId: ants.id, points: 6 }])).toBe('0 1 0')
    contest.clock.advance(600_000)
    expect((await send()).data).toEqual({ inserted: 0, updated: 0, deleted: 0 })
    contest.clock.advance(1)
    expect((await send()).kind).toBe('badSignature')
    expect(await rowsOf(id)).toMatchObject([{ points: 6 }])
  })

  test('is a new push for another challenge with the same secret', async () => {
    const [one, two] = [await newHill(), await newHill()]
    const sent = { body: bodyOf(5), timestamp: String(contest.clock.now()) }
    for (const id of [one, two]) {
      expect((await pushRaw(contest, id, sent)).data).toMatchObject({ inserted: 1 })
      expect((await pushRaw(contest, id, sent)).data).toMatchObject({ inserted: 0 })
    }
  })

  test('is applied if the first one was not', async () => {
    const id = await newHill()
    const sent = { body: bodyOf(5), timestamp: String(contest.clock.now()) }
    await contest.db.query(sql`alter table feed_events rename to away`)
    expect((await pushRaw(contest, id, sent)).kind).toBe('errorInternal')
    await contest.db.query(sql`alter table away rename to feed_events`)
    expect((await pushRaw(contest, id, sent)).data).toMatchObject({ inserted: 1 })
  })

  test('sent sixteen times at once is applied once', async () => {
    const id = await newHill()
    const sent = { body: bodyOf(5), timestamp: String(contest.clock.now()) }
    const responses = await Promise.all(Array.from({ length: 16 }, () => pushRaw(contest, id, sent)))
    const inserted = responses.map(({ data }) => data.inserted as number)
    expect(inserted.toSorted()).toEqual([...Array<number>(15).fill(0), 1])
    expect(await eventsOf(id)).toHaveLength(1)
  })
})

test('after 64 concurrent pushes each team has the score of one of them, and the history is consistent', async () => {
  const id = await newHill()
  const members = [ants, bees, wasps]
  const responses = await Promise.all(
    Array.from({ length: 64 }, (_, number) => {
      const scores = members.map(({ id: userId }, team) => ({ userId, points: 1000 * team + number + 1 }))
      return push(contest, id, scores)
    }),
  )
  expect(responses.toSorted()).toEqual([...Array<string>(63).fill('0 3 0'), '3 0 0'])
  const rows = await rowsOf(id)
  const [winner = 0] = rows.map(({ points }) => points)
  expect(rows.map(({ points }) => points)).toEqual([winner, winner + 1000, winner + 2000])
  const events = await eventsOf(id)
  expect(events).toHaveLength(64 * 3)
  for (const { team, points, tick } of rows) {
    const own = events.filter((event) => event.team === team)
    expect(own.reduce((sum, { delta }) => sum + delta, 0)).toBe(points)
    expect(own.at(-1)?.at).toBe(tick)
  }
  // The incrementally updated standings equal those that a new process reads.
  await using fresh = await startContest({ beside: contest })
  for (const { id: team } of members) {
    expect(contest.world().dynamicScores(team)).toEqual(fresh.world().dynamicScores(team))
  }
  const ids = members.map((member) => member.id)
  expect(contest.world().graph(ids, 1000)).toEqual(fresh.world().graph(ids, 1000))
})

describe('the action log of pushes', () => {
  const entriesOf = async (target: string) => {
    const { token } = await contest.admin()
    const query = { action: 'scores.push', target } as const
    const result = await contest.call(listActions, { token, query })
    if (result.kind !== 'goodActions') throw new Error(result.kind)
    return result.data.actions.toReversed()
  }
  const pushMany = async (id: string, count: number) => {
    for (let at = 1; at <= count; at += 1) await push(contest, id, [{ userId: ants.id, points: points++ }])
  }
  let points = 1

  test('has one entry for the first push of a sender, and one for all others of ten minutes', async () => {
    const id = await newHill()
    const job = pushLogJob({ db: contest.db, now: contest.clock.now })
    await pushMany(id, 5)
    const [first, ...none] = await entriesOf(id)
    expect(none).toEqual([])
    expect(first).toMatchObject({
      actor: { id: null, name: 'pushed scores' },
      route: 'POST /api/v2/challs/:id/scores',
      targets: [{ id }],
      after: { pushes: 1, inserted: 1, updated: 0, deleted: 0 },
      ip: '127.0.0.1',
    })
    await job.run()
    expect(await entriesOf(id)).toHaveLength(1)
    const since = contest.clock.now()
    contest.clock.advance(10 * MINUTE_MS)
    await job.run()
    await job.run()
    const [, second, ...more] = await entriesOf(id)
    expect(more).toEqual([])
    expect(second?.after).toEqual({ pushes: 4, inserted: 0, updated: 4, deleted: 0, since })
    // A sender that stopped and comes back is seen at once.
    contest.clock.advance(10 * MINUTE_MS)
    await job.run()
    await pushMany(id, 1)
    expect(await entriesOf(id)).toHaveLength(3)
  })

  test('shows each sender, up to a bound, and nothing of pushes that change nothing or are refused', async () => {
    const id = await newHill()
    await push(contest, id, [])
    await pushRaw(contest, id, { body: '{"scores":[]}', signature: `sha256=${'0'.repeat(64)}` })
    expect(await entriesOf(id)).toEqual([])
    for (let sender = 1; sender <= 30; sender += 1) {
      const body = JSON.stringify({ scores: [{ userId: ants.id, points: points++ }] })
      await pushRaw(contest, id, { body, headers: { 'x-forwarded-for': `203.0.113.${sender}` } })
    }
    const senders = (await entriesOf(id)).map(({ ip }) => ip)
    expect(senders).toHaveLength(21)
    expect(senders.slice(0, 2)).toEqual(['203.0.113.1', '203.0.113.2'])
    expect(senders.at(-1)).toBeNull()
  })
})
