import type { CSSProperties } from 'react'
import { categoryOf } from './categories.ts'
import { clothStyle } from './category-mark.tsx'
import type { ClothSize } from './cloth.tsx'
import styles from './marks.module.css'

interface GonfalonProps extends ClothSize {
  readonly category: string
  /** From 0 to 1: how far the cloth is unrolled. */
  readonly share: number
  /** Read instead of the picture; without it, the picture is hidden from readers. */
  readonly label?: string
}

/** A hanging cloth with a notch, unrolled from the top: a share, for example of a category solved. */
export function Gonfalon({ category, share, width, height, label }: GonfalonProps) {
  const shown = `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`
  return (
    <span
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={styles.gonfalon}
      style={{ ...clothStyle(categoryOf(category)), '--share': shown, width, height } as CSSProperties}
    />
  )
}
