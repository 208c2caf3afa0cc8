import type { Permission } from '@pennant/contract/permissions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useTimed } from '../state/clock.ts'
import { isOpening } from '../state/opening.ts'
import { phaseOf, type Phase } from '../state/phase.ts'
import { useSession } from '../state/session.ts'
import { configQuery, ownTeamQuery } from './queries.ts'

/** What the event is; undefined until the first answer. */
export function useConfig() {
  return useQuery(configQuery).data
}

/** Whether this is what is left of an event: files, with nobody behind them. */
export function useIsArchive(): boolean {
  return useConfig()?.isArchived === true
}

/** Where the contest stands now, by the server's clock; null until the configuration is known. Renders on a change. */
export function usePhase(): Phase | null {
  const config = useConfig()
  return useTimed((now) => (config ? phaseOf(config, now) : null))
}

/** Whether the contest has ended, however long ago. */
export function useIsOver(): boolean {
  const phase = usePhase()
  return phase === 'ended' || phase === 'archived'
}

/**
 * The team that is signed in. `isSignedIn` is known at once, `team` after its first answer. A page keeps its team while
 * the strip says that the token was refused: what is typed there is not lost. An archive is files: nobody is signed in
 * there, whatever token the browser still has.
 */
export function useOwnTeam() {
  const { token, wasRefused } = useSession()
  const isArchive = useIsArchive()
  const query = useQuery({ ...ownTeamQuery, enabled: token !== null && !isArchive })
  const isSignedIn = !isArchive && (token !== null || (wasRefused && query.data !== undefined))
  return { isSignedIn, team: isSignedIn ? query.data : undefined, query }
}

/** Whether the own team has all of these rights; false while it is not known. */
export function useMay(...needed: readonly Permission[]): boolean {
  const { team } = useOwnTeam()
  return team !== undefined && hasPermissions(team.perms, needed)
}

interface Gate {
  /** After the start, or before it with the right that opens the page. */
  readonly isOpen: boolean
  readonly isEarly: boolean
  /** The first seconds after the start: what is not here yet may be waiting for its turn. */
  readonly isOpening: boolean
}

/** Whether a page may be read that opens with the start. */
export function useGate(bypass: Permission): Gate {
  const phase = usePhase()
  const may = useMay(bypass)
  const isFresh = useTimed(isOpening)
  const isBefore = phase === 'before'
  return { isOpen: phase !== null && (!isBefore || may), isEarly: isBefore && may, isOpening: isFresh }
}

/** What a division is called; its id when it has no name, as when it is called like something that all objects have. */
export function divisionName(divisions: Readonly<Record<string, string>> | undefined, id: string): string {
  return divisions && Object.hasOwn(divisions, id) ? (divisions[id] ?? id) : id
}
