// Tracks of teams: docs/reference/tracks.md. A set of tracks is a bit mask, so that reading one costs what a division costs.

/** What the standings depend on of a track. */
export interface TrackRow {
  readonly id: string
  /** Its teams are in the standings that everyone gets without asking for tracks. */
  readonly isRanked: boolean
  /** Values of challenges fall with the solves of its teams. */
  readonly affectsPoints: boolean
  /** Its teams take first bloods in those standings. */
  readonly takesBloods: boolean
}

/** A bit for each track, from the first one. */
export type TrackSet = number

export interface TrackRules {
  readonly ids: readonly string[]
  readonly all: TrackSet
  readonly ranked: TrackSet
  readonly pricing: TrackSet
  readonly bloods: TrackSet
}

/** Without tracks, all teams are in one that may do everything. */
export function trackRules(tracks: readonly TrackRow[] = []): TrackRules {
  if (tracks.length === 0) return { ids: [], all: 1, ranked: 1, pricing: 1, bloods: 1 }
  const those = (has: (track: TrackRow) => boolean): TrackSet =>
    tracks.reduce((set, track, at) => (has(track) ? set | (1 << at) : set), 0)
  return {
    ids: tracks.map(({ id }) => id),
    all: those(() => true),
    ranked: those(({ isRanked }) => isRanked),
    pricing: those(({ affectsPoints }) => affectsPoints),
    bloods: those(({ takesBloods }) => takesBloods),
  }
}

/** Teams that declared nothing, or a track that no longer exists, are in the first one. */
export function trackNumber({ ids }: TrackRules, track: string | null | undefined): number {
  return track ? Math.max(0, ids.indexOf(track)) : 0
}

/** Unknown ids are left out. */
export function trackSet(rules: TrackRules, ids: readonly string[]): TrackSet {
  return rules.ids.reduce((set, id, at) => (ids.includes(id) ? set | (1 << at) : set), 0)
}

/** Whether the team, by its slot, is in one of the tracks. */
export function isInSet(
  { trackOf }: { readonly trackOf: readonly number[] },
  team: number,
  set: TrackSet,
): boolean {
  return ((set >> (trackOf[team] as number)) & 1) === 1
}
