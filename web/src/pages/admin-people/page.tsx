import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { lazy, Suspense, useState } from 'react'
import { useOwnTeam } from '../../api/use-contest.ts'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { listPeople } from '@pennant/contract/people.ts'
import { requestData } from '../../api/client.ts'
import { CsvButton } from '../../organisers/csv-button.tsx'
import { requestAnswers, useAnswerCells } from '../../organisers/field-lists.tsx'
import { AnswerFilter } from './answer-filter.tsx'
import { PeopleList, peopleQuery, type AnswerFilter as Answer } from '../../organisers/people-list.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'

const OrganisersPart = lazy(async () => ({ default: (await import('./organisers-part.tsx')).OrganisersPart }))

export function Component() {
  const text = useMessages(peopleMessages)
  const isOwner = useOwnTeam().team?.perms === ALL_PERMISSIONS
  const [search, setSearch] = useState('')
  const [by, setBy] = useState<Answer | null>(null)
  const clear = () => {
    setSearch('')
    setBy(null)
  }
  return (
    <OrganiserPage title={text.people}>
      <p className="pn-flat pn-muted">{text.adminAbout}</p>
      {isOwner && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <OrganisersPart />
        </Suspense>
      )}
      <ListTools end={<PeopleCsv search={search} by={by} />}>
        <SearchInput label={text.search} maxLength={100} value={search} onChange={setSearch} />
        <AnswerFilter value={by} onChange={setBy} />
      </ListTools>
      <PeopleList key={`${search} ${by?.field} ${by?.answer}`} search={search} by={by} onClear={clear} />
    </OrganiserPage>
  )
}

const HEAD = ['person', 'person_id', 'email', 'team', 'team_id', 'captain']

/** Exports the filtered people with their answers. */
function PeopleCsv({ search, by }: { readonly search: string; readonly by: Answer | null }) {
  const more = useAnswerCells('person')
  return (
    <CsvButton
      name="people"
      head={[...HEAD, ...more.head]}
      load={async ({ offset, limit, signal }) => {
        const query = { limit: String(limit), offset: String(offset), ...peopleQuery(search, by) }
        const { people, total } = await requestData(listPeople, { query }, { signal })
        const ids = people.map(({ id }) => id)
        const found = more.head.length > 0 ? (await requestAnswers({ people: ids }, signal)).people : []
        const answers = new Map(found.map((person) => [person.id, person]))
        const rows = people.map(({ id, name, email, teamId, teamName, isCaptain }) => [
          name,
          id,
          email ?? '',
          teamName ?? '',
          teamId ?? '',
          isCaptain ? 'yes' : 'no',
          ...more.cells(answers.get(id)),
        ])
        return { rows, total }
      }}
    />
  )
}
