import { Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { useText } from '../../text/catalogue.ts'
import { Icon } from '../../ui/icon.tsx'
import { CHECKS } from './checks.ts'
import styles from './dashboard.module.css'
import { FindingText } from './finding-text.tsx'
import { useFindings } from './use-findings.ts'
import { words } from './words.ts'

/** Before the start: everything that is looked at, and whether it is in order. */
export function CheckList() {
  const text = useText(words)
  const { findings, source } = useFindings()
  if (!findings) return <Waiting query={source} rows={CHECKS.length} />
  return (
    <ul className={styles.warnings}>
      {CHECKS.map((check) => {
        const finding = findings.find((each) => each.check === check)
        return (
          <li key={check} className={finding ? styles.warning : styles.good}>
            <Icon name={finding ? 'alert' : 'check'} />
            <span>{finding ? <FindingText finding={finding} /> : text.fine[check]}</span>
          </li>
        )
      })}
    </ul>
  )
}
