import { useQuery } from '@tanstack/react-query'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import type { useListAddress } from '../../organisers/use-list-address.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useMessages } from '../../text/messages.ts'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { auditQuery, type AuditFilter, type AuditRow } from './queries.ts'
import { NoSubmissions } from './no-submissions.tsx'

export interface ListProps {
  readonly filter: AuditFilter
  readonly columns: readonly Column<AuditRow>[]
  readonly current: string | undefined
  readonly onOpen: (row: AuditRow) => void
}

interface PagedListProps extends ListProps {
  readonly address: ReturnType<typeof useListAddress>
}

/** One page of the filtered submissions. */
export function PagedList({ filter, address, ...table }: PagedListProps) {
  const text = useMessages(adminSubmissionsMessages)
  const { sort, page } = address
  const query = useQuery(auditQuery({ ...filter, sort, page }))
  const { data } = query
  if (!data) return <Waiting query={query} rows={12} />
  return (
    <>
      <DataTable
        cards
        {...table}
        label={text.submissions}
        rows={data.submissions}
        total={data.total}
        rowId={({ id }) => id}
        sort={sort}
        onSort={address.setSort}
        density="compact"
        empty={<NoSubmissions />}
      />
      <Pager page={page} total={data.total} onPage={address.setPage} />
    </>
  )
}
