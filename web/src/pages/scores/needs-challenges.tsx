import { frameMessages } from '../../text/en/frame.ts'
import { scoresMessages } from '../../text/en/scores.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './scores.module.css'

/** Before the start, the standings and the challenges need different permissions. */
export function NeedsChallenges() {
  const text = useMessages(scoresMessages)
  const frame = useMessages(frameMessages)
  return <p className={styles.status}>{text.needsRight(frame.right.challsRead)}</p>
}
