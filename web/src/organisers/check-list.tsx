import { diagnosisMessages } from '../text/en/diagnosis.ts'
import { useMessages } from '../text/messages.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './check-list.module.css'

/** A result of a check of the server. */
export interface CheckResult {
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'error' | 'unchecked'
  readonly finding: string
  readonly remedy: string
}

/** What needs work is at the top. */
const ORDER: readonly CheckResult['severity'][] = ['error', 'warning', 'unchecked', 'ok']
const ICONS = { error: 'alert', warning: 'alert', unchecked: 'info', ok: 'check' } as const

export function CheckList({ checks }: { readonly checks: readonly CheckResult[] }) {
  const text = useMessages(diagnosisMessages)
  const names: Readonly<Record<string, string>> = text.names
  const sorted = checks.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
  return (
    <ul className={styles.list}>
      {sorted.map(({ name, severity, finding, remedy }) => (
        <li key={name} className={styles[severity]}>
          <Icon name={ICONS[severity]} />
          <span>
            {names[name] ?? name}: {text.severities[severity]}
            {/* The server's sentences are in English. */}
            {(finding || remedy) && (
              <span className={styles.detail} lang="en">
                {finding} {remedy}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
