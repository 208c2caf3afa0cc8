import type { CSSProperties } from 'react'
import { cx } from '../cx.ts'
import { categoryOf, type Category } from './categories.ts'
import { CATEGORY_ICONS } from './category-icons.ts'
import styles from './marks.module.css'

interface CategoryMarkProps {
  readonly name: string
  /** `icon`: the drawing with the name for readers only; `code`: two letters beside it; `full`: the name; `chip`: the name on a tint. */
  readonly form?: 'icon' | 'code' | 'full' | 'chip'
  readonly size?: number
}

/** What a category looks like: its drawing in its colour, with its name or code. */
export function CategoryMark({ name, form = 'full', size = 16 }: CategoryMarkProps) {
  const category = categoryOf(name)
  const spelt = form === 'full' || form === 'chip'
  return (
    <span
      className={cx(styles.category, form === 'chip' && styles.chip)}
      style={categoryStyle(category)}
      {...(spelt ? {} : { role: 'img', 'aria-label': name, title: name })}
    >
      <svg aria-hidden="true" width={size} height={size} viewBox="0 0 16 16" fill="none">
        <path
          d={CATEGORY_ICONS[category.icon]}
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {spelt && <bdi>{name}</bdi>}
      {form === 'code' && <span aria-hidden="true">{category.code}</span>}
    </span>
  )
}

/** Sets `--category`, which an operator may override by `--pn-cat-<slug>`. */
export function categoryStyle({ slug, palette }: Category): CSSProperties {
  return { '--category': `var(--pn-cat-${slug}, var(--pn-cat-${palette}))` } as CSSProperties
}
