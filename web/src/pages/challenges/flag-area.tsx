import { Link, useLocation } from 'react-router'
import { useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './flag.module.css'
import { FlagBox } from './flag-box.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { words } from '../../challenge/words.ts'

interface FlagAreaProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
}

/** Where a flag goes, or the sentence that says why none can be sent. */
export function FlagArea({ challenge, isSolved }: FlagAreaProps) {
  const text = useText(words)
  const format = useFormat()
  const { pathname, search } = useLocation()
  const { isSignedIn, team } = useOwnTeam()
  const reason = useReason()
  if (!challenge.hasFlag) {
    const live = team?.dynamicScores.find(({ id }) => id === challenge.id)
    return (
      <Panel className={styles.words}>
        <p>{live ? text.live(format.number(live.points), format.signed(live.pointDelta)) : text.liveOnly}</p>
      </Panel>
    )
  }
  // The box stays after its own right flag: it says what that gave.
  if (isSignedIn && reason === null) return <FlagBox challenge={challenge} isSolved={isSolved} />
  return (
    <Panel className={styles.words}>
      {isSolved && (
        <p className={styles.solved}>
          <Pennant sign="solved" hidden /> {text.solvedAlready}
        </p>
      )}
      <p>{reason ?? <Link to={paths.signIn(pathname + search)}>{text.signIn}</Link>}</p>
    </Panel>
  )
}

/** Why nobody, or not this team, may send a flag now. */
function useReason(): string | null {
  const text = useText(words)
  const phase = usePhase()
  const { team } = useOwnTeam()
  if (phase === 'archived') return text.archived
  if (phase === 'ended') return text.over
  return team?.banned ? text.banned : null
}
