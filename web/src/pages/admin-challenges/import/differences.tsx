import { useText } from '../../../text/catalogue.ts'
import styles from './import.module.css'
import type { Draft, DraftField } from '../draft.ts'
import { words } from '../words.ts'

interface DifferencesProps {
  readonly before: Draft
  readonly after: Draft
  readonly fields: readonly DraftField[]
}

/** Field by field, what stands now and what would. */
export function Differences({ before, after, fields }: DifferencesProps) {
  const text = useText(words)
  return (
    <div className={styles.scroll} role="region" tabIndex={0} aria-label={text.importChanges}>
      <table className={styles.differences}>
        <caption>{text.importChanges}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{text.importNow}</th>
            <th scope="col">{text.importThen}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{text.fields[field]}</th>
              <td>{shown(before[field])}</td>
              <td>{shown(after[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function shown(value: Draft[DraftField]): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
