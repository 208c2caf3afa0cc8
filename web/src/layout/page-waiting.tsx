import { Skeleton } from '../ui/states/skeleton.tsx'
import styles from './layout.module.css'

/** Stands where a page will, while its code comes. */
export function PageWaiting() {
  return (
    <div className={styles.page}>
      <Skeleton rows={1} width="12rem" height="2.125rem" />
      <Skeleton rows={6} height="var(--pn-row)" />
    </div>
  )
}
