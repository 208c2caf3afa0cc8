import { seesAll } from '@pennant/contract/visibility.ts'
import { useConfig, useMaySee, useOwnTeam } from '../../api/use-contest.ts'

/** Whether the viewer may see rank, score and solves of teams of this division. */
export function useHasResults(division: string): boolean {
  const level = useConfig()?.visibility?.scoreboard
  const maySee = useMaySee()('scoreboard')
  const own = useOwnTeam().team
  if (maySee === false) return false
  if (level !== 'division' || !own || seesAll('scoreboard', own.perms)) return true
  return own.division === division
}
