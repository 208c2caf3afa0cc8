import { useText } from '../../text/catalogue.ts'
import { frameCatalogue } from '../../text/frame.ts'
import styles from './scores.module.css'
import { words } from './words.ts'

/** Before the start the standings take one right, and the challenges beside them another. */
export function NeedsChallenges() {
  const text = useText(words)
  const frame = useText(frameCatalogue)
  return <p className={styles.status}>{text.needsRight(frame.right.challsRead)}</p>
}
