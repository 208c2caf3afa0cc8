import { mayUseCaches } from '../../lib/caching.ts'
import type { Feed, FeedBuckets, FeedLine } from '../state.ts'

/**
 * End of the bucket that contains `at` (docs/reference/scoring.md#score-graph). The last bucket ends with the
 * event.
 */
export function bucketEnd(at: number, sampleMs: number, endTime: number): number {
  const end = Math.ceil(at / sampleMs) * sampleMs
  return at <= endTime ? Math.min(end, endTime) : end
}

/** For the usual graph, the fine one, and standings at earlier times. */
const MAX_CACHED = 3

/** The buckets of all events so far. Extends the cached buckets of the feed in place. */
export function feedBuckets(feed: Feed, sampleMs: number, endTime: number): FeedBuckets {
  const cached = mayUseCaches()
    ? feed.buckets.find((each) => each.sampleMs === sampleMs && each.endTime === endTime)
    : undefined
  const buckets = cached ?? { sampleMs, endTime, length: 0, ends: new Set<number>(), lines: new Map() }
  if (!cached && mayUseCaches()) feed.buckets = [buckets, ...feed.buckets.slice(0, MAX_CACHED - 1)]
  for (; buckets.length < feed.length; buckets.length += 1) {
    const end = bucketEnd(feed.at[buckets.length] as number, sampleMs, endTime)
    buckets.ends.add(end)
    addChange(lineOf(buckets, feed.team[buckets.length] as number), end, feed.delta[buckets.length] as number)
  }
  return buckets
}

function lineOf({ lines }: FeedBuckets, team: number): FeedLine {
  let line = lines.get(team)
  if (!line) lines.set(team, (line = { ends: [], changes: [] }))
  return line
}

function addChange({ ends, changes }: FeedLine, end: number, change: number): void {
  let index = ends.length - 1
  // Events arrive in time order, so this loop ends at once, unless a clock was set back.
  while (index >= 0 && (ends[index] as number) > end) index -= 1
  if (ends[index] === end) changes[index] = (changes[index] ?? 0) + change
  else {
    ends.splice(index + 1, 0, end)
    changes.splice(index + 1, 0, change)
  }
}
