import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import type { ListProps } from './paged-list.tsx'
import { tailQuery, type AuditRow } from './queries.ts'
import styles from './submissions.module.css'
import { freshCount } from './tail.ts'
import { words } from './words.ts'

/** Submissions as they come. What is being read does not move: new rows wait until the list is let go. */
export function LiveList({ filter, columns, ...table }: ListProps) {
  const text = useText(words)
  const query = useQuery(tailQuery(filter, useQueryClient()))
  const [held, setHeld] = useState<readonly AuditRow[] | null>(null)
  const { data } = query
  if (!data) return <Waiting query={query} rows={12} />
  const rows = held ?? data
  const hold = () => setHeld((old) => old ?? data)
  const waiting = held === null ? 0 : freshCount(held, data)
  return (
    // With the button in it: on the way there the list must not be let go.
    <div
      className={styles.tail}
      onPointerEnter={hold}
      onPointerLeave={({ currentTarget }) => {
        if (!isRead(currentTarget)) setHeld(null)
      }}
      onFocus={hold}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget) && !isScrolled(currentTarget)) setHeld(null)
      }}
    >
      <p>{text.liveAbout}</p>
      <div role="status">
        {waiting > 0 && (
          <Button icon="chevronUp" onClick={() => setHeld(data)}>
            {text.fresh(waiting)}
          </Button>
        )}
      </div>
      <DataTable
        cards
        {...table}
        // The order is that of time alone.
        columns={columns.map((column) => ({ ...column, sortable: false }))}
        label={text.table}
        rows={rows}
        rowId={({ id }) => id}
        density="compact"
        maxHeight="70vh"
        empty={text.none}
      />
    </div>
  )
}

function isRead(list: Element): boolean {
  return isScrolled(list) || list.contains(document.activeElement)
}

function isScrolled(list: Element): boolean {
  return (list.querySelector('[role="region"]')?.scrollTop ?? 0) > 0
}
