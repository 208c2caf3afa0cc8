import type { AskedTracks, WorldView } from '../../../world/model.ts'
import { refuse } from '../../../http/request/validate.ts'

// The `track` parameter: docs/reference/tracks.md#asking-for-tracks

/** What the parameter asks for. Null without it, undefined if it names no tracks of the event. */
export function askedTracks(world: WorldView, text: string | undefined): AskedTracks | null | undefined {
  if (!text) return null
  const known = (world.settings.tracks ?? []).map(({ id }) => id)
  if (known.length === 0) return undefined
  if (text === 'main') return text
  if (text === 'all') return known
  const ids = text.split(',')
  return ids.every((id) => known.includes(id)) ? known.filter((id) => ids.includes(id)) : undefined
}

export function refusedTracks(world: WorldView, text: string | undefined) {
  return askedTracks(world, text) === undefined ? refuse('query', 'track', 'no such track') : null
}

/** A set that few ask for. There are hundreds of them, so that what is rendered for one is limited. */
export function isRareSet({ askedTracks: asked, settings: { tracks = [] } }: WorldView): boolean {
  return Array.isArray(asked) && asked.length > 1 && asked.length < tracks.length
}

/** Whether the team takes first bloods in the main standings. */
export function takesBloods(world: WorldView, teamId: string): boolean {
  const track = world.trackOf(teamId)
  return world.settings.tracks?.find(({ id }) => id === track)?.takesBloods ?? true
}

/** The field of a row about a team; nothing unless the reader asked for tracks. */
export function trackMark(world: WorldView, teamId: string): { readonly track?: string } {
  const track = world.askedTracks === null ? null : world.trackOf(teamId)
  return track === null ? {} : { track }
}

/** As `trackMark`, of a solve. */
export function assistedMark(
  { askedTracks: asked }: WorldView,
  { isAssisted }: { readonly isAssisted?: true },
): { readonly assisted?: true } {
  return asked !== null && isAssisted ? { assisted: true } : {}
}
