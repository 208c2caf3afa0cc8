import type { CSSProperties } from 'react'
import { categoryOf, type Category } from './categories.ts'
import { CATEGORY_ICONS } from './category-icons.ts'
import styles from './marks.module.css'

interface CategoryMarkProps {
  readonly name: string
  /**
   * `icon`: icon, name for screen readers only; `code`: icon and code; `full`: icon and name.
   */
  readonly form?: 'icon' | 'code' | 'full'
  readonly size?: number
}

/** A category as icon in its colour, with its name or code. */
export function CategoryMark({ name, form = 'full', size = 16 }: CategoryMarkProps) {
  const category = categoryOf(name)
  const spelt = form === 'full'
  return (
    <span
      className={styles.category}
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

/** Sets `--category`, which an operator can override with `--pn-cat-<slug>`. */
export function categoryStyle({ slug, palette }: Category): CSSProperties {
  return { '--category': `var(--pn-cat-${slug}, var(--pn-cat-${palette}))` } as CSSProperties
}

/** Sets `--cloth`, the more vivid colour of the category's cloth: `--pn-cloth-<slug>`. */
export function clothStyle({ slug, palette }: Category): CSSProperties {
  const own = slug === palette ? '' : `var(--pn-cat-${slug}, `
  return {
    '--cloth': `var(--pn-cloth-${slug}, ${own}var(--pn-cloth-${palette})${own && ')'})`,
  } as CSSProperties
}
