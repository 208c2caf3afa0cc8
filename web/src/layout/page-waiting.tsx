import { Skeleton } from '../ui/states/skeleton.tsx'
import { useWords } from '../ui/words.ts'
import { cx } from '../ui/cx.ts'
import styles from './layout.module.css'

/** Stands where a page will, while its code comes. */
export function PageWaiting() {
  const { loading } = useWords()
  return (
    <div className={cx(styles.page, styles.waiting)}>
      <h1 className="pn-hidden">{loading}</h1>
      <Skeleton rows={1} width="12rem" height="2.125rem" />
      <Skeleton rows={6} height="var(--pn-row)" />
    </div>
  )
}
