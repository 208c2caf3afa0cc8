import { expect, test } from 'vitest'
import { feedEvent, feedRow } from '../../../test/world-rows.ts'
import { feedBuckets } from '../graph/buckets.ts'
import { addEvents, createFeed, emptyFeed, isSameFeed, withoutTeam } from './feed.ts'

const slots = new Map([
  ['ants', 0],
  ['bees', 1],
])
const event = (id: number, teamId: string, delta: number) =>
  feedEvent('K', teamId, { id, delta, at: id * 100 })

test('a feed extended by events equals one created from the rows', () => {
  const events = [event(1, 'ants', 10), event(2, 'bees', 5), event(3, 'ants', -10), event(4, 'ants', 7)]
  const feed = emptyFeed()
  expect([...addEvents(feed, slots, events.slice(0, 2))]).toEqual([0, 1])
  expect([...addEvents(feed, slots, events)]).toEqual([0])
  const rows = [
    feedRow('K', 'ants', { points: 7, scoredAt: 400, delta: 7, tickAt: 400 }),
    feedRow('K', 'bees', { points: 5, scoredAt: 200, delta: 5, tickAt: 200 }),
  ]
  expect(isSameFeed(feed, createFeed(slots, rows, events))).toBe(true)
  expect(feed).toMatchObject({ tickAt: 400, lastEventId: 4 })
  expect([...addEvents(feed, slots, events)]).toEqual([])
})

test('a feed with rows or events of unknown teams is read again completely', () => {
  const feed = emptyFeed()
  expect([...addEvents(feed, slots, [event(1, 'late', 3), event(2, 'bees', 5)])]).toEqual([1])
  expect(feed.lastEventId).toBeNull()
  expect([...addEvents(feed, slots, [event(3, 'ants', 5)])]).toEqual([])
  expect(createFeed(slots, [feedRow('K', 'late')], []).lastEventId).toBeNull()
  expect(createFeed(slots, [], [event(5, 'late', 3)]).lastEventId).toBeNull()
  expect(createFeed(slots, [], [event(5, 'ants', 3)]).lastEventId).toBe(5)
})

test('buckets grow with the feed, are rebuilt for other bounds, and tolerate a clock that was set back', () => {
  const feed = createFeed(slots, [], [event(1, 'ants', 10), event(12, 'ants', 1)])
  const lineOf = (sampleMs: number, endTime: number) => feedBuckets(feed, sampleMs, endTime).lines.get(0)
  expect(lineOf(1000, 9999)).toEqual({ ends: [1000, 2000], changes: [10, 1] })
  addEvents(feed, slots, [{ ...event(13, 'ants', 2), at: 900 }, event(14, 'ants', 4), event(31, 'bees', 1)])
  expect(lineOf(1000, 9999)).toEqual({ ends: [1000, 2000], changes: [12, 5] })
  expect([...feedBuckets(feed, 1000, 9999).ends]).toEqual([1000, 2000, 4000])
  expect(lineOf(1000, 1500)).toEqual({ ends: [1000, 1500], changes: [12, 5] })
  for (const sampleMs of [50, 100, 200, 300]) lineOf(sampleMs, 9999)
  expect(feed.buckets.map(({ sampleMs }) => sampleMs)).toEqual([300, 200, 100])
})

test('a feed without a team equals one that never had the team', () => {
  const feed = createFeed(slots, [feedRow('K', 'bees')], [event(1, 'ants', 10), event(2, 'bees', 10)])
  const rest = withoutTeam(feed, 1)
  expect(isSameFeed(rest, createFeed(slots, [], [event(1, 'ants', 10)]))).toBe(true)
  expect(rest).toMatchObject({ tickAt: 100, lastEventId: 2 })
  expect(withoutTeam(rest, 1)).toBe(rest)
})
