import type { LatestSolves } from '../../api/new-solves.ts'
import { useMinutesAfter } from '../../state/clock.ts'
import { liveMessages } from '../../text/en/live.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import styles from './lists.module.css'

const AVATAR_PX = 36
const BLOODS_LISTED = 3
/** More do not fit on any screen; those that do not fit are cut off. */
const SOLVES_LISTED = 12

interface ListProps {
  readonly solves: LatestSolves
}

/** The newest first blood in large type, and the ones before it. */
export function Bloods({ solves }: ListProps) {
  const text = useMessages(liveMessages)
  const format = useFormat()
  const [newest, ...older] = solves.slice(0, BLOODS_LISTED)
  const minute = useMinutesAfter(newest?.createdAt ?? 0)
  if (!newest) return null
  return (
    <section className={styles.bloods} aria-label={text.bloods}>
      <div className={styles.blood}>
        <Pennant sign="blood1" size={64} hidden />
        <div>
          <span className={styles.kind}>{text.bloodAgo(format.relative(newest.createdAt, minute))}</span>
          <b>
            <bdi>{newest.userName}</bdi>
          </b>
          <Challenge solve={newest} />
        </div>
      </div>
      {older.length > 0 && (
        <ul className={styles.list}>
          {older.map((solve) => (
            <Line key={solve.id} solve={solve} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The latest solves, newest first. */
export function Solves({ solves }: ListProps) {
  const text = useMessages(liveMessages)
  if (solves.length === 0) return null
  return (
    <section className={styles.activity} aria-label={text.activity}>
      <ul className={styles.list}>
        {solves.slice(0, SOLVES_LISTED).map((solve) => (
          <Line key={solve.id} solve={solve} />
        ))}
      </ul>
    </section>
  )
}

function Line({ solve }: { readonly solve: LatestSolves[number] }) {
  const { userId, userName, userAvatarUrl, bloodIndex } = solve
  return (
    <li>
      <Avatar name={userName} teamId={userId} url={userAvatarUrl} size={AVATAR_PX} />
      <span className={styles.who}>
        <bdi>{userName}</bdi>
        <Challenge solve={solve} />
      </span>
      <Pennant sign={BLOODS[bloodIndex ?? -1] ?? 'solved'} size={26} />
    </li>
  )
}

function Challenge({ solve: { category, challengeName } }: { readonly solve: LatestSolves[number] }) {
  return (
    <span className={styles.challenge}>
      <CategoryMark name={category} form="icon" />
      <bdi>{challengeName}</bdi>
    </span>
  )
}
