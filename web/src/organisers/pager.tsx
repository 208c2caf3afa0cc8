import { useEffect, useState } from 'react'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { NumberInput } from '../ui/fields/inputs.tsx'
import styles from './list.module.css'
import { LIST_PAGE } from './use-list-address.ts'

interface PagerProps {
  /** Zero-based. */
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
}

/** Below a list: the range of rows shown, the total, and links to other pages. */
export function Pager({ page, total, onPage }: PagerProps) {
  const text = useMessages(organiserListMessages)
  const format = useFormat()
  const last = Math.max(0, Math.ceil(total / LIST_PAGE) - 1)
  const from = Math.min(page * LIST_PAGE + 1, total)
  const to = Math.min((page + 1) * LIST_PAGE, total)
  // An empty list has its own message.
  if (total === 0 && page === 0) return null
  return (
    <div className={styles.pager}>
      <p className={styles.rows} role="status">
        {text.rows(format.number(from), format.number(to), format.number(total))}
      </p>
      {(last > 0 || page > 0) && (
        <>
          {page > 0 && <Button onClick={() => onPage(Math.min(page - 1, last))}>{text.previous}</Button>}
          <div className={styles.goTo}>
            <GoTo page={page} last={last} onPage={onPage} />
          </div>
          {page < last && <Button onClick={() => onPage(page + 1)}>{text.next}</Button>}
        </>
      )}
    </div>
  )
}

interface GoToProps extends Omit<PagerProps, 'total'> {
  readonly last: number
}

/** Page number input: navigates on Enter or blur, not on each digit. */
function GoTo({ page, last, onPage }: GoToProps) {
  const text = useMessages(organiserListMessages)
  const [typed, setTyped] = useState<number | null>(page + 1)
  useEffect(() => setTyped(page + 1), [page])
  const go = () => {
    const isPage = typed !== null && Number.isInteger(typed)
    const wanted = isPage ? Math.min(Math.max(typed - 1, 0), last) : page
    setTyped(wanted + 1)
    if (wanted !== page) onPage(wanted)
  }
  return (
    <NumberInput
      label={text.goTo}
      value={typed}
      min={1}
      max={last + 1}
      onChange={setTyped}
      onBlur={go}
      onKeyDown={({ key }) => {
        if (key === 'Enter') go()
      }}
    />
  )
}
