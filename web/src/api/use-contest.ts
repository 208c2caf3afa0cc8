import type { Permission } from '@pennant/contract/permissions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { maySee, type VisiblePart } from '@pennant/contract/visibility.ts'
import { useQuery } from '@tanstack/react-query'
import { useTimed } from '../state/clock.ts'
import { isOpening } from '../state/opening.ts'
import { phaseOf, type Phase } from '../state/phase.ts'
import { useSession } from '../state/session.ts'
import { configQuery, ownProfileQuery, ownTeamQuery } from './queries.ts'

/** The event's configuration; undefined until the first response. */
export function useConfig() {
  return useQuery(configQuery).data
}

/** Whether the site is a static archive of an event, without a server. */
export function useIsArchive(): boolean {
  return useConfig()?.isArchived === true
}

/**
 * The contest's phase by the server's clock; null until the configuration is loaded. Renders only on a
 * change.
 */
export function usePhase(): Phase | null {
  const config = useConfig()
  return useTimed((now) => (config ? phaseOf(config, now) : null))
}

/** Whether the contest has ended. */
export function useIsOver(): boolean {
  const phase = usePhase()
  return phase === 'ended' || phase === 'archived'
}

/**
 * The team that is signed in. `isSignedIn` is known immediately, `team` after its first response. When the
 * token is refused, a page keeps its team while the notice is shown, so that nothing typed is lost. An
 * archive is static: no one is signed in there, even if the browser still has a token.
 */
export function useOwnTeam() {
  const { token, wasRefused } = useSession()
  const isArchive = useIsArchive()
  const query = useQuery({ ...ownTeamQuery, enabled: token !== null && !isArchive })
  const isSignedIn = !isArchive && (token !== null || (wasRefused && query.data !== undefined))
  return { isSignedIn, team: isSignedIn ? query.data : undefined, query }
}

/** The same with what only the pages of the team itself show. */
export function useOwnProfile() {
  const { isSignedIn } = useOwnTeam()
  const query = useQuery({ ...ownProfileQuery, enabled: useSession().token !== null && isSignedIn })
  return { isSignedIn, team: isSignedIn ? query.data : undefined, query }
}

/** Whether the viewer's team has all of these permissions; false until they are known. */
export function useMay(...needed: readonly Permission[]): boolean {
  const { team } = useOwnTeam()
  return team !== undefined && hasPermissions(team.perms, needed)
}

/** Whether the viewer may see a part of the event; null until it is known. */
export function useMaySee(): (part: VisiblePart) => boolean | null {
  const visibility = useConfig()?.visibility
  const { isSignedIn, team } = useOwnTeam()
  return (part) => {
    const level = visibility?.[part]
    if (visibility === undefined || level === undefined) return true
    if (level === 'organisers' && isSignedIn && !team) return null
    return maySee(part, isSignedIn ? (team?.perms ?? 0) : null, visibility)
  }
}

interface Gate {
  /** The contest has started, or the team has the permission to open the page before. */
  readonly isOpen: boolean
  readonly isEarly: boolean
  /** The first seconds after the start: missing data may still be waiting for its turn. */
  readonly isOpening: boolean
}

/** Whether a page that opens at the start can be read. */
export function useGate(bypass: Permission): Gate {
  const phase = usePhase()
  const may = useMay(bypass)
  const isFresh = useTimed(isOpening)
  const isBefore = phase === 'before'
  return { isOpen: phase !== null && (!isBefore || may), isEarly: isBefore && may, isOpening: isFresh }
}

/** The name of a division; its id if it has none, also for ids that are properties of every object. */
export function divisionName(divisions: Readonly<Record<string, string>> | undefined, id: string): string {
  return divisions && Object.hasOwn(divisions, id) ? (divisions[id] ?? id) : id
}
