import { useState, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import styles from './data.module.css'

interface TeamNameProps {
  readonly name: string
  readonly avatarUrl?: string | null | undefined
  /** Pixels of the avatar; 0 leaves it out. */
  readonly avatarSize?: number
  /** A link around the name, made by the caller. */
  readonly link?: (name: ReactNode) => ReactNode
}

/** A team by avatar and name. The name is text of unknown direction, never markup. */
export function TeamName({ name, avatarUrl, avatarSize = 28, link }: TeamNameProps) {
  const text = (
    <bdi className={styles.name} title={name}>
      {name}
    </bdi>
  )
  return (
    <span className={styles.team}>
      {avatarSize > 0 && <Avatar name={name} url={avatarUrl} size={avatarSize} />}
      {link ? link(text) : text}
    </span>
  )
}

interface AvatarProps {
  readonly name: string
  readonly url: string | null | undefined
  readonly size: number
}

/** Stands beside the name, and so says nothing itself. Initials when there is no picture, or it does not load. */
export function Avatar({ name, url, size }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!url || broken === url) {
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

/** The first letters of the first two words; of one word its first two letters. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_.-]+/).filter(Boolean)
  const letters =
    words.length > 1
      ? words.slice(0, 2).map((word) => Array.from(word)[0])
      : Array.from(words[0] ?? '?').slice(0, 2)
  return letters.join('').toUpperCase()
}
