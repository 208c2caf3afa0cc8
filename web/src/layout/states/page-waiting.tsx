import { Skeleton } from '../../ui/states/skeleton.tsx'
import { cx } from '../../ui/cx.ts'
import { useUiMessages } from '../../ui/ui-messages.ts'
import styles from '../layout.module.css'

/** Placeholder while a page's code loads. */
export function PageWaiting() {
  const { loading } = useUiMessages()
  return (
    <div className={cx(styles.page, 'pn-grid pn-gap-5')}>
      <h1 className="pn-hidden">{loading}</h1>
      <Skeleton rows={1} width="12rem" height="2.125rem" />
      <Skeleton rows={6} height="var(--pn-row)" />
    </div>
  )
}
