import { signalOf } from './signals.ts'
import styles from './marks.module.css'

interface SignalFlagProps {
  /** The id of the team: the same team has the same flag everywhere. */
  readonly id: string
  /** Size in pixels. */
  readonly size?: number
}

/** The flag of a team without an avatar. Decorative: the name of the team is next to it. */
export function SignalFlag({ id, size = 28 }: SignalFlagProps) {
  const { ground, figure, path } = signalOf(id)
  return (
    <svg className={styles.signal} aria-hidden="true" width={size} height={size} viewBox="0 0 28 28">
      <path d="M0 0h28v28H0Z" fill={ground} />
      <path d={path} fill={figure} />
    </svg>
  )
}
