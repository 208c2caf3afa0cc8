import { useId, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import styles from './states.module.css'

export interface PanelProps {
  readonly title?: ReactNode
  /** Heading level; one below the surrounding heading. */
  readonly level?: 2 | 3 | 4
  readonly actions?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A panel with its own surface; a landmark if it has a title. */
export function Panel({ className, ...section }: PanelProps) {
  return <Section {...section} className={cx(styles.panel, className)} />
}

interface SectionProps extends PanelProps {
  /** Makes it collapsible, with this initial state. */
  readonly fold?: 'open' | 'closed'
  readonly onFold?: (open: boolean) => void
}

/** A part of a page with a heading, without a surface. */
export function Section({ title, level = 2, actions, className, fold, onFold, children }: SectionProps) {
  const id = useId()
  if (title === undefined) return <div className={className}>{children}</div>
  const Heading = `h${level}` as const
  const head = (
    <div className={styles.head}>
      <Heading id={id} className={styles.title}>
        {title}
      </Heading>
      {actions !== undefined && <div className="pn-wrap pn-gap-2">{actions}</div>}
    </div>
  )
  if (fold === undefined) {
    return (
      <section aria-labelledby={id} className={className}>
        {head}
        {children}
      </section>
    )
  }
  return (
    <section aria-labelledby={id} className={className}>
      <details
        className={styles.fold}
        open={fold === 'open'}
        onToggle={(event) => onFold?.(event.currentTarget.open)}
      >
        <summary>{head}</summary>
        {children}
      </details>
    </section>
  )
}
