import {
  maySee,
  seesAll,
  visibleParts,
  type VisiblePart,
  type VisibilitySettings,
} from '@pennant/contract/visibility.ts'
import type { AskedTracks, SettingsOverrides, WorldView } from '../../../world/model.ts'

// Who sees which part of the event: docs/operate/closed-events.md

/** Who asks. Null without a team. */
export type Viewer = { readonly id: string; readonly perms: number } | null

/** Which teams are in a part: all, those of one division, or none. */
export type Teams = 'all' | 'none' | { readonly division: string }

/** What one caller may see. Callers with the same key see the same. */
export interface Extent {
  /** Empty if nothing is closed for the caller. Part of the keys of caches. */
  readonly key: string
  readonly hasChallenges: boolean
  readonly hasHome: boolean
  /** Whose ranks, scores and solves. */
  readonly board: Teams
  /** Whose profiles. */
  readonly profiles: Teams
  /** What the caller asked for, within what it may see. */
  readonly tracks: AskedTracks | null
}

export const WHOLE: Extent = {
  key: '',
  hasChallenges: true,
  hasHome: true,
  board: 'all',
  profiles: 'all',
  tracks: null,
}

/** The extent narrowed to tracks. Null: the caller did not ask. */
export function withTracks(extent: Extent, tracks: AskedTracks | null): Extent {
  return tracks === null ? extent : { ...extent, key: `${extent.key}^${tracks}`, tracks }
}

/** What organisers stored, part by part, or else the configuration. Values of a later version close the part. */
export function effectiveVisibility(
  defaults: VisibilitySettings,
  { visibility: stored = {} }: SettingsOverrides,
): VisibilitySettings {
  return { ...defaults, ...stored }
}

/** The parts that are not open to everyone. */
export function closedParts(settings: VisibilitySettings): VisibilitySettings {
  return Object.fromEntries(
    visibleParts.flatMap((part) => {
      const level = settings[part] ?? 'everyone'
      return level === 'everyone' ? [] : [[part, level]]
    }),
  )
}

export function extentOf(settings: VisibilitySettings, viewer: Viewer, world: WorldView): Extent {
  if (visibleParts.every((part) => (settings[part] ?? 'everyone') === 'everyone')) return WHOLE
  const perms = viewer?.perms ?? null
  const teamsIn = (part: VisiblePart): Teams => {
    if (!maySee(part, perms, settings)) return 'none'
    if (settings[part] !== 'division' || seesAll(part, perms ?? 0)) return 'all'
    const division = viewer && world.team(viewer.id)?.division
    return division ? { division } : 'none'
  }
  const hasChallenges = maySee('challenges', perms, settings)
  const hasHome = maySee('home', perms, settings)
  const [board, profiles] = [teamsIn('scoreboard'), teamsIn('profiles')]
  if (hasChallenges && hasHome && board === 'all' && profiles === 'all') return WHOLE
  const key = `~${JSON.stringify([hasChallenges, hasHome, board, profiles])}`
  return { key, hasChallenges, hasHome, board, profiles, tracks: null }
}

export function isIn(teams: Teams, division: string | undefined): boolean {
  return teams === 'all' || (teams !== 'none' && teams.division === division)
}

const isNarrow = (level: string | undefined) => level === 'organisers' || level === 'division'

/** Settings that contradict each other, so that a part shows less than its own setting says. */
export function visibilityWarnings(settings: VisibilitySettings, statisticsPublic: boolean): string[] {
  const { challenges, scoreboard, profiles, statistics } = settings
  const warnings: string[] = []
  if (statisticsPublic && statistics === 'organisers')
    warnings.push(
      'The statistics are published after the end, but only organisers may see them. Set the visibility of the statistics to signedIn or everyone, or do not publish them.',
    )
  if (isNarrow(scoreboard) && !isNarrow(profiles))
    warnings.push(
      'Profiles are open to more people than the scoreboard, so profiles of other teams show no score and no solves. Set both to the same.',
    )
  if (challenges === 'organisers' && scoreboard !== 'organisers')
    warnings.push(
      'Only organisers see challenges, but others see the scoreboard, which then shows no solves, and no one else can submit flags.',
    )
  return warnings
}
