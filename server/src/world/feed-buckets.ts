import { bucketEnd } from './buckets.ts'
import type { Feed } from './feed.ts'
import type { FeedBuckets, FeedLine } from './graph-types.ts'

/** The buckets of all that came so far. */
export function bucketsOf(feed: Feed, sampleMs: number, endTime: number): FeedBuckets {
  const kept = feed.buckets
  const isKept = kept?.sampleMs === sampleMs && kept.endTime === endTime
  const buckets = isKept ? kept : { sampleMs, endTime, length: 0, ends: new Set<number>(), lines: new Map() }
  feed.buckets = buckets
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
  // Events come in the order of time, so this is the last bucket or a new one; whatever a clock did before.
  while (index >= 0 && (ends[index] as number) > end) index -= 1
  if (ends[index] === end) changes[index] = (changes[index] ?? 0) + change
  else {
    ends.splice(index + 1, 0, end)
    changes.splice(index + 1, 0, change)
  }
}
