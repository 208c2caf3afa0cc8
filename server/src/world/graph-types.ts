import type { BoundedMap } from '../lib/bounded-map.ts'
import type { GraphLine } from './model.ts'

/** Counted solves of one challenge by bucket. */
export interface Tally {
  readonly sampleMs: number
  /** Ends of the buckets that hold a solve, rising. */
  readonly times: Float64Array
  /** Solves up to the end of each bucket. */
  readonly counts: Float64Array
}

/** What one challenge was worth: a value and the bucket from whose end on it held. */
export interface Steps {
  readonly sampleMs: number
  readonly times: Float64Array
  readonly values: Float64Array
}

/** What a feed's events add up to in each bucket. Kept on with the feed, so that no event is met twice. */
export interface FeedBuckets {
  readonly sampleMs: number
  readonly endTime: number
  /** How many of the feed's events are in. */
  length: number
  /** Ends of all buckets that hold an event. */
  readonly ends: Set<number>
  /** By team slot. */
  readonly lines: Map<number, FeedLine>
}

/** One team's changes by bucket, ends rising. */
export interface FeedLine {
  readonly ends: number[]
  readonly changes: number[]
}

/** All that the lines of one version of the standings share. */
export interface GraphPlan {
  /** `Standings.epoch` that it was made for. */
  readonly epoch: number
  readonly sampleMs: number
  /** Ends of all buckets in which anything happened, rising. */
  readonly axis: Float64Array
  /** Where on the axis the steps of a challenge lie. */
  readonly onAxis: ReadonlyMap<Steps, Int32Array>
  readonly lastUpdate: number
}

export interface GraphCache {
  plan: GraphPlan | null
  readonly lines: BoundedMap<GraphLine>
}

/** Teams of a dynamic challenge, best first, for one version of the standings. */
export interface ScoreRanking {
  /** `Standings.epoch` that it was made for. */
  readonly epoch: number
  /** Slots. */
  readonly teams: Int32Array
}
