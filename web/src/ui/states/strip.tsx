import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../icon.tsx'
import styles from './states.module.css'

/** Highest priority first; only one notice is shown. */
const PRIORITY = ['banned', 'signedOut', 'offline', 'stale', 'version', 'rules', 'demo', 'phase'] as const

export interface Notice {
  readonly about: (typeof PRIORITY)[number]
  readonly text: ReactNode
  readonly action?: ReactNode
}

const TONE = {
  banned: 'danger',
  signedOut: 'warn',
  offline: 'warn',
  stale: 'warn',
  version: 'info',
  rules: 'warn',
  demo: 'info',
  phase: 'info',
} as const

/**
 * Shows the most important notice about the page. The live region is always rendered, so that changes are
 * announced.
 */
export function Strip({ notices }: { readonly notices: readonly Notice[] }) {
  const notice = PRIORITY.map((about) => notices.find((each) => each.about === about)).find(Boolean)
  return (
    <div role="status">
      {notice && (
        <div className={cx(styles.strip, styles[TONE[notice.about]])}>
          <Icon name={TONE[notice.about] === 'info' ? 'info' : 'alert'} />
          <span>{notice.text}</span>
          {notice.action}
        </div>
      )}
    </div>
  )
}
