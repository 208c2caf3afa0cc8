import { useConfig } from '../../api/use-contest.ts'
import { tracksMessages } from '../../text/en/tracks.ts'
import { useMessages } from '../../text/messages.ts'
import styles from './tracks.module.css'

/** The track beside the name of a team. */
export function TrackMark({ track }: { readonly track: string }) {
  const text = useMessages(tracksMessages)
  const label = useConfig()?.tracks?.list.find(({ id }) => id === track)?.label ?? track
  return (
    <bdi className={styles.mark} title={text.trackOf(label)}>
      {label}
    </bdi>
  )
}

/** Beside a solve with the help of an agent. */
export function AssistedMark() {
  const text = useMessages(tracksMessages)
  return <span className={styles.mark}>{text.assisted}</span>
}
