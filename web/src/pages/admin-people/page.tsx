import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { lazy, Suspense, useState } from 'react'
import { useOwnTeam } from '../../api/use-contest.ts'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { PeopleList } from '../../organisers/people-list.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'

const OrganisersPart = lazy(async () => ({ default: (await import('./organisers-part.tsx')).OrganisersPart }))

export function Component() {
  const text = useMessages(peopleMessages)
  const isOwner = useOwnTeam().team?.perms === ALL_PERMISSIONS
  const [search, setSearch] = useState('')
  return (
    <OrganiserPage title={text.people}>
      <p className="pn-flat pn-muted">{text.adminAbout}</p>
      {isOwner && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <OrganisersPart />
        </Suspense>
      )}
      <ListTools>
        <SearchInput label={text.search} maxLength={100} value={search} onChange={setSearch} />
      </ListTools>
      <PeopleList key={search} search={search} onClear={() => setSearch('')} />
    </OrganiserPage>
  )
}
