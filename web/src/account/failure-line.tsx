import styles from './account.module.css'

/** What went wrong with the whole of a form. The place is there before, so that readers hear it. */
export function FailureLine({ children }: { readonly children: string | undefined }) {
  return (
    <div role="alert" className={styles.failure}>
      {children}
    </div>
  )
}
