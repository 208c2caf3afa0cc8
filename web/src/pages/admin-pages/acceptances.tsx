import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CsvButton } from '../../organisers/csv-button.tsx'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { adminPagesMessages } from '../../text/en/admin-pages.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { acceptancesQuery, requestAcceptances, type PageHead, type PageTeam } from './queries.ts'

const COLUMNS = ['teamId', 'team', 'version', 'acceptedAt', 'personId', 'counts'] as const

/** Which version each team accepted, and a file of it. */
export function Acceptances({ page: { id, slug } }: { readonly page: PageHead }) {
  const text = useMessages(adminPagesMessages)
  const [page, setPage] = useState(0)
  const query = useQuery(acceptancesQuery(id, page))
  const columns = useColumns()
  if (!query.data) return <Waiting query={query} rows={6} />
  const { teams, total } = query.data
  return (
    <>
      <CsvButton
        name={`acceptances-${slug}`}
        head={COLUMNS}
        load={async (range) => {
          const found = await requestAcceptances(id, range)
          return { rows: found.teams.map(cellsOf), total: found.total }
        }}
      />
      <DataTable
        label={text.acceptances}
        columns={columns}
        rows={teams}
        rowId={({ teamId }) => teamId}
        empty={<EmptyState isPart>{text.noTeams}</EmptyState>}
      />
      <Pager page={page} total={total} onPage={setPage} />
    </>
  )
}

function cellsOf({ teamId, teamName, version, acceptedAt, personId, counts }: PageTeam): string[] {
  const at = acceptedAt === null ? '' : new Date(acceptedAt).toISOString()
  return [teamId, teamName, version === null ? '' : String(version), at, personId ?? '', String(counts)]
}

function useColumns(): Column<PageTeam>[] {
  const text = useMessages(adminPagesMessages)
  const format = useFormat()
  return [
    { id: 'team', head: text.team, cell: ({ teamName }) => <bdi className="pn-words">{teamName}</bdi> },
    {
      id: 'version',
      head: text.acceptedVersion,
      cell: ({ version, counts }) => (
        <>
          {version === null ? text.notYet : format.number(version)}
          {version !== null && !counts && ` · ${text.outdated}`}
        </>
      ),
    },
    {
      id: 'at',
      head: text.acceptedAt,
      cell: ({ acceptedAt }) =>
        acceptedAt !== null && (
          <time dateTime={new Date(acceptedAt).toISOString()}>{format.dateTime(acceptedAt)}</time>
        ),
    },
  ]
}
