import { Link, useLocation } from 'react-router'
import { useOwnTeam, usePhase } from '../../../api/use-contest.ts'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Pennant } from '../../../ui/marks/pennant.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import styles from './flag.module.css'
import { FlagBox } from './flag-box.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'

interface FlagAreaProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  /** The open challenge to go on with after this one. */
  readonly next: Challenge | null
}

/** The flag form, or the reason why no flag can be submitted. */
export function FlagArea({ challenge, isSolved, next }: FlagAreaProps) {
  const text = useMessages(challengesMessages)
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
  // Keep the box after the team's own correct flag, because it shows the result.
  if (isSignedIn && reason === null) return <FlagBox {...{ challenge, isSolved, next }} />
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

/** Why no flag can be submitted now, by anybody or by this team. */
function useReason(): string | null {
  const text = useMessages(challengesMessages)
  const phase = usePhase()
  const { team } = useOwnTeam()
  if (phase === 'archived') return text.archived
  if (phase === 'ended') return text.isOver
  return team?.banned ? text.banned : null
}
