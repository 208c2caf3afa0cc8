import * as replies from '@pennant/contract/replies.ts'
import { hasPermissions, type Permission } from '@pennant/contract/permissions.ts'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import type { VisiblePart } from '@pennant/contract/visibility.ts'
import type { Actor } from '../handler.ts'

interface Asked {
  readonly viewer: Actor | null
  /** Whoever is signed in, with or without a team. */
  readonly person: object | null
}

/** Refuses callers that may not see one of the parts. Without a token, a caller is asked to sign in, whoever may see the part. */
export function visibilityStep(
  parts: readonly VisiblePart[],
  { maySee }: { readonly maySee: (part: VisiblePart, viewer: Actor | null) => boolean },
) {
  return ({ viewer, person }: Asked): ApiResponse | null => {
    const part = parts.find((each) => !maySee(each, viewer))
    if (part === undefined) return null
    if (viewer) return replies.badVisibility({ part })
    return person ? replies.badNoTeam() : replies.badToken()
  }
}

/** Why a caller may not do what needs the permissions. A second factor may be all that is missing. */
export function refusalOfPermissions(
  { withheld = 0 }: Actor,
  ways: readonly (readonly Permission[])[],
): ApiResponse {
  return ways.some((perms) => hasPermissions(withheld, perms))
    ? replies.badSecondFactor()
    : replies.badPerms()
}

interface EventClock {
  readonly now: () => number
  readonly eventWindow: () => { readonly startTime: number; readonly endTime: number }
}

/** Refuses callers before the start and after the end. */
export function gateStep(gate: NonNullable<Route['gate']>, { now, eventWindow }: EventClock) {
  const { started, beforeEnd } = gate
  const may = (team: Actor | null, bit: typeof started) => team !== null && hasPermissions(team.perms, [bit])
  return ({ team }: { readonly team: Actor | null }): ApiResponse | null => {
    const { startTime, endTime } = eventWindow()
    const at = now()
    if (at < startTime && !may(team, started)) return replies.badNotStarted()
    if (beforeEnd && at >= endTime && !may(team, beforeEnd)) return replies.badEnded()
    return null
  }
}
