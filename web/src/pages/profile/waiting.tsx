import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './profile.module.css'

/** Placeholder for the team header. */
export function HeadWaiting() {
  return <Skeleton height="72px" />
}

/** Placeholders for navigation, graph, categories, timeline and solves. */
export function Body() {
  return (
    <>
      <Skeleton height="44px" />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Skeleton height="320px" />
          <Skeleton rows={5} height="1.5rem" />
        </div>
        <div className={styles.column}>
          <Skeleton height="240px" />
          <Skeleton rows={6} height="var(--pn-row)" />
        </div>
      </div>
    </>
  )
}
