import { useState, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { SignalFlag } from '../marks/signal-flag.tsx'
import styles from './data.module.css'

interface TeamNameProps {
  readonly name: string
  /** Draws the flag of this team if there is no avatar; without it, initials. */
  readonly teamId?: string
  readonly avatarUrl?: string | null | undefined
  /** Avatar size in pixels; 0 hides it. */
  readonly avatarSize?: number
  /** Wraps the name in a link. */
  readonly link?: (name: ReactNode) => ReactNode
}

/** A team as avatar and name. The name is text of unknown direction, never markup. */
export function TeamName({ name, teamId, avatarUrl, avatarSize = 28, link }: TeamNameProps) {
  const text = (
    <bdi className={styles.name} title={name}>
      {name}
    </bdi>
  )
  return (
    <span className={styles.team}>
      {avatarSize > 0 && <Avatar name={name} teamId={teamId} url={avatarUrl} size={avatarSize} />}
      {link ? link(text) : text}
    </span>
  )
}

interface AvatarProps {
  readonly name: string
  readonly teamId?: string | undefined
  readonly url: string | null | undefined
  readonly size: number
}

/** Decorative, because it is next to the name. Shows the team's flag if there is no image or it fails to load. */
export function Avatar({ name, teamId, url, size }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!url || broken === url) {
    if (teamId !== undefined) return <SignalFlag id={teamId} size={size} />
    return (
      <span
        aria-hidden="true"
        className={cx(styles.avatar)}
        style={{ width: size, height: size, fontSize: size * 0.4 }}
      >
        {initialsOf(name)}
      </span>
    )
  }
  return (
    <img
      src={url}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={styles.avatar}
      onError={() => setBroken(url)}
    />
  )
}

/** First letters of the first two words, or the first two letters of a single word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_.-]+/).filter(Boolean)
  const letters =
    words.length > 1
      ? words.slice(0, 2).map((word) => Array.from(word)[0])
      : Array.from(words[0] ?? '?').slice(0, 2)
  return letters.join('').toUpperCase()
}
