import type { Agent, SettingsOverrides, TeamRow, TrackSettings, WorldView } from '../../../world/model.ts'

// Who may be in which track: docs/reference/tracks.md

/** What a team says of itself. */
export interface Declaration {
  readonly track: string
  readonly agent?: Agent | undefined
}

type Settings = Pick<SettingsOverrides, 'tracks'>

/** From this time on, teams only move to a more permissive track. Without a setting, the start of the event. */
export function lockTimeOf({ settings, startTime }: Pick<WorldView, 'settings' | 'startTime'>): number {
  return settings.tracksLockAt ?? startTime
}

/** The tracks that a team may declare: any before the lock time, then its own one, to name another agent, and more permissive ones. */
export function choicesOf(
  { tracks = [] }: Settings,
  { track }: Pick<TeamRow, 'track'>,
  isLocked: boolean,
): readonly TrackSettings[] {
  const current = Math.max(
    0,
    tracks.findIndex(({ id }) => id === track),
  )
  return tracks.filter(
    ({ mayRegister }, at) => at === current || (mayRegister && (!isLocked || at > current)),
  )
}

/** `track`: not one of the choices. `agent`: the track needs an agent with a name, or has none. */
export function declarationProblem(
  choices: readonly TrackSettings[],
  { track, agent }: Declaration,
): 'track' | 'agent' | null {
  const found = choices.find(({ id }) => id === track)
  if (!found) return 'track'
  return found.namesAgent === (agent !== undefined) ? null : 'agent'
}

/** Of a registration. A team that declares nothing is in the first track. */
export function registrationProblem({ tracks = [] }: Settings, declared: Declaration | null) {
  const open = tracks.filter(({ mayRegister }) => mayRegister)
  return declared && declarationProblem(open, declared)
}

/** The track of a team, its rank there and its agent. Empty without tracks. */
export function trackView(world: WorldView, { id, agent }: TeamRow) {
  const track = world.trackOf(id)
  if (track === null) return {}
  return {
    track,
    trackPlace: world.standing(id, [track]).globalRank,
    ...(agent && { agent: { operator: agent.operator, model: agent.model } }),
  }
}

/** As a parameter of type `jsonb`. */
export function declaredText(declared: Declaration | null | undefined): string | null {
  return declared ? JSON.stringify(declared) : null
}
