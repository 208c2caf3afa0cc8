import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import type { ListProps } from './paged-list.tsx'
import { tailQuery, type AuditRow } from './queries.ts'
import styles from './submissions.module.css'
import { freshCount } from './tail.ts'
import { NoSubmissions } from './no-submissions.tsx'

/** Live submissions. New rows are held back while the list has the pointer or the focus, or is scrolled. */
export function LiveList({ filter, columns, ...table }: ListProps) {
  const text = useMessages(adminSubmissionsMessages)
  const query = useQuery(tailQuery(filter, useQueryClient()))
  const [held, setHeld] = useState<readonly AuditRow[] | null>(null)
  const { data } = query
  if (!data) return <Waiting query={query} rows={12} />
  const rows = held ?? data
  const hold = () => setHeld((old) => old ?? data)
  const waiting = held === null ? 0 : freshCount(held, data)
  return (
    // Includes the button, so that moving the pointer to it does not release the list.
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
            {text.newer(waiting)}
          </Button>
        )}
      </div>
      <DataTable
        cards
        {...table}
        // The live list is always sorted by time.
        columns={columns.map((column) => ({ ...column, sortable: false }))}
        label={text.submissions}
        rows={rows}
        rowId={({ id }) => id}
        density="compact"
        maxHeight="70vh"
        empty={<NoSubmissions />}
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
