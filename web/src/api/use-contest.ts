import type { Permission } from '@pennant/contract/permissions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useTimed } from '../state/clock.ts'
import { phaseOf, type Phase } from '../state/phase.ts'
import { useSession } from '../state/session.ts'
import { configQuery, ownTeamQuery } from './queries.ts'

/** What the event is; undefined until the first answer. */
export function useConfig() {
  return useQuery(configQuery).data
}

/** Where the contest stands now, by the server's clock; null until the configuration is known. Renders on a change. */
export function usePhase(): Phase | null {
  const config = useConfig()
  return useTimed((now) => (config ? phaseOf(config, now) : null))
}

/** The team that is signed in. `isSignedIn` is known at once, `team` after its first answer. */
export function useOwnTeam() {
  const { token } = useSession()
  const isSignedIn = token !== null
  const query = useQuery({ ...ownTeamQuery, enabled: isSignedIn })
  return { isSignedIn, team: isSignedIn ? query.data : undefined, query }
}

/** Whether the own team has all of these rights; false while it is not known. */
export function useMay(...needed: readonly Permission[]): boolean {
  const { team } = useOwnTeam()
  return team !== undefined && hasPermissions(team.perms, needed)
}

/** Whether gated pages may be read: after the start, or before it with the right that opens them. */
export function useGate(bypass: Permission): { readonly isOpen: boolean; readonly isEarly: boolean } {
  const phase = usePhase()
  const may = useMay(bypass)
  const isBefore = phase === 'before'
  return { isOpen: phase !== null && (!isBefore || may), isEarly: isBefore && may }
}
