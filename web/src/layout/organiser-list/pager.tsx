import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { NumberInput } from '../../ui/fields/inputs.tsx'
import styles from './list.module.css'
import { LIST_PAGE } from './use-list-address.ts'
import { words } from './words.ts'

interface PagerProps {
  /** From 0. */
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
}

/** Under a list: which rows of how many, and the way to others. */
export function Pager({ page, total, onPage }: PagerProps) {
  const text = useText(words)
  const format = useFormat()
  const last = Math.max(0, Math.ceil(total / LIST_PAGE) - 1)
  const from = Math.min(page * LIST_PAGE + 1, total)
  const to = Math.min((page + 1) * LIST_PAGE, total)
  const jump = (wanted: number | null) => {
    if (wanted !== null && Number.isInteger(wanted)) onPage(Math.min(Math.max(wanted - 1, 0), last))
  }
  return (
    <div className={styles.pager}>
      <p className={styles.rows} role="status">
        {text.rows(format.number(from), format.number(to), format.number(total))}
      </p>
      {(last > 0 || page > 0) && (
        <>
          {page > 0 && <Button onClick={() => onPage(Math.min(page - 1, last))}>{text.previous}</Button>}
          <div className={styles.goTo}>
            <NumberInput label={text.goTo} value={page + 1} min={1} max={last + 1} onChange={jump} />
          </div>
          {page < last && <Button onClick={() => onPage(page + 1)}>{text.next}</Button>}
        </>
      )}
    </div>
  )
}
