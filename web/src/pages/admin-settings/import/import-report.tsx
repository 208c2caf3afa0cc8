import type { ImportReport } from '../../../api/contest-import.ts'
import { contestImportMessages } from '../../../text/en/contest-import.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import styles from './import.module.css'

/** What an import writes, loses and changes. */
export function ImportReportView({ report }: { readonly report: ImportReport }) {
  const text = useMessages(contestImportMessages)
  const { findings, counts, configuration } = report
  return (
    <>
      {counts && <Counts counts={counts} />}
      {(['problem', 'loss', 'note'] as const).map((severity) => {
        const found = findings.filter((finding) => finding.severity === severity)
        return (
          found.length > 0 && (
            <section key={severity} aria-label={text.findings[severity]}>
              <h3 className={styles.severity} data-severity={severity}>
                {text.findings[severity]}
              </h3>
              <ul className={styles.findings}>
                {found.map((finding) => (
                  <FindingItem key={finding.code} finding={finding} />
                ))}
              </ul>
            </section>
          )
        )
      })}
      {configuration !== '' && (
        <details>
          <summary>{text.configuration}</summary>
          <pre className={styles.yaml} tabIndex={0}>
            {configuration}
          </pre>
        </details>
      )}
    </>
  )
}

function FindingItem({ finding }: { readonly finding: ImportReport['findings'][number] }) {
  const format = useFormat()
  const { text, count, examples } = finding
  return (
    <li>
      <span lang="en">{text}</span>
      {count > 1 && ` (${format.number(count)})`}
      {examples.length > 0 && (
        <ul className="pn-fine pn-muted">
          {examples.map((example) => (
            <li key={example}>
              <bdi>{example}</bdi>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Counts({ counts }: { readonly counts: NonNullable<ImportReport['counts']> }) {
  const text = useMessages(contestImportMessages)
  const format = useFormat()
  return (
    <dl className={styles.counts} aria-label={text.rows}>
      {Object.entries(counts).flatMap(([name, count]) =>
        count === 0
          ? []
          : [
              <div key={name}>
                <dt>{text.counts[name] ?? name}</dt>
                <dd>{format.number(count)}</dd>
              </div>,
            ],
      )}
    </dl>
  )
}
