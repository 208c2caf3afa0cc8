import type { LatestSolves } from '../../api/new-solves.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Pennant } from '../../ui/marks/pennant.tsx'
import styles from './blood-overlay.module.css'

interface BloodOverlayProps {
  readonly blood: LatestSolves[number]
}

/** A first blood in large type. Nothing in it can be clicked, and clicks pass through it. */
export function BloodOverlay({ blood }: BloodOverlayProps) {
  const text = useMessages(frameMessages)
  const { id, userId, userName, userAvatarUrl, challengeName, category } = blood
  return (
    <div className={styles.layer} role="status" aria-label={text.firstBlood}>
      <div key={id} className={styles.card}>
        <span className={styles.flag}>
          <Pennant sign="blood1" size={120} hidden raising />
        </span>
        <span className={styles.words}>
          <b className={styles.kind}>{text.firstBlood}</b>
          <span className={styles.team}>
            <Avatar name={userName} teamId={userId} url={userAvatarUrl} size={56} />
            <bdi>{userName}</bdi>
          </span>
          <span className={styles.challenge}>
            <CategoryMark name={category} form="icon" size={26} />
            <bdi>{challengeName}</bdi>
          </span>
        </span>
      </div>
    </div>
  )
}
