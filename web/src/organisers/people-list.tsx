import { listPeople } from '@pennant/contract/people.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { requestData } from '../api/client.ts'
import { paths } from '../paths.ts'
import { refresh } from '../state/live.ts'
import { peopleMessages } from '../text/en/people.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { DataTable, type Column } from '../ui/data/data-table.tsx'
import { EmptyState } from '../ui/states/messages.tsx'
import { useAnswerColumns, useAnswersOf } from './field-lists.tsx'
import { Waiting } from './organiser-page.tsx'
import { Pager } from './pager.tsx'
import { adminPeopleKey, type AdminPerson } from './people.ts'
import { PersonDialog } from './person-dialog.tsx'
import { LIST_PAGE } from './use-list-address.ts'

const EVERY_MS = 30_000

interface PeopleListProps {
  readonly search?: string
  /** Only people of this team. */
  readonly teamId?: string
  /** Only people with this answer to a field. */
  readonly by?: AnswerFilter | null
  readonly onClear?: () => void
}

export interface AnswerFilter {
  readonly field: string
  readonly answer: string
}

/** The query of people, without the page. */
export function peopleQuery(search: string, by: AnswerFilter | null, teamId?: string) {
  const wanted = search.trim()
  return { ...(wanted !== '' && { search: wanted }), ...(teamId !== undefined && { teamId }), ...by }
}

/** People with what organisers may do about them: all, or those of a team. */
export function PeopleList({ search = '', teamId, by = null, onClear }: PeopleListProps) {
  const text = useMessages(peopleMessages)
  const [page, setPage] = useState(0)
  const [editedId, setEditedId] = useState<string>()
  const range = { limit: String(LIST_PAGE), offset: String(page * LIST_PAGE) }
  const asked = { ...range, ...peopleQuery(search, by, teamId) }
  const query = useQuery({
    queryKey: [...adminPeopleKey, asked],
    queryFn: ({ signal }) => requestData(listPeople, { query: asked }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
  const people = query.data?.people ?? []
  const found = useAnswersOf({ people: people.map(({ id }) => id) })?.people ?? []
  const more = useAnswerColumns<AdminPerson>('person', found)
  const columns = useColumns(teamId !== undefined, (person) => setEditedId(person.id)).toSpliced(
    -1,
    0,
    ...more,
  )
  if (!query.data) return <Waiting query={query} rows={3} />
  const { total } = query.data
  const empty =
    search.trim() === '' && by === null ? (
      <EmptyState isPart>{text.none}</EmptyState>
    ) : (
      <EmptyState action={<Button onClick={onClear}>{text.clear}</Button>}>{text.noneFound}</EmptyState>
    )
  const edited = people.find(({ id }) => id === editedId)
  return (
    <>
      <DataTable
        cards
        label={text.people}
        columns={columns}
        rows={people}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        empty={empty}
      />
      <Pager page={page} total={total} onPage={setPage} />
      {edited && <PersonDialog key={edited.id} person={edited} onClose={() => setEditedId(undefined)} />}
    </>
  )
}

function useColumns(isOneTeam: boolean, onEdit: (person: AdminPerson) => void): Column<AdminPerson>[] {
  const text = useMessages(peopleMessages)
  const team: Column<AdminPerson> = {
    id: 'team',
    head: text.team,
    cell: ({ teamId, teamName }) =>
      teamId === null ? (
        '–'
      ) : (
        <Link to={paths.adminTeam(teamId)}>
          <bdi>{teamName ?? teamId}</bdi>
        </Link>
      ),
  }
  return [
    { id: 'name', head: text.name, cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'email', head: text.email, cell: ({ email }) => <span dir="ltr">{email ?? '–'}</span> },
    ...(isOneTeam ? [] : [team]),
    {
      id: 'role',
      head: text.role,
      cell: ({ teamId, isCaptain }) => (teamId === null ? '–' : isCaptain ? text.captain : text.member),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: (person) => (
        <Button aria-label={text.editOf(person.name)} onClick={() => onEdit(person)}>
          {text.edit}
        </Button>
      ),
    },
  ]
}
