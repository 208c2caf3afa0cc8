import { useState } from 'react'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { PeopleList } from '../../organisers/people-list.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'

export function Component() {
  const text = useMessages(peopleMessages)
  const [search, setSearch] = useState('')
  return (
    <OrganiserPage title={text.people}>
      <p className="pn-flat pn-muted">{text.adminAbout}</p>
      <ListTools>
        <SearchInput label={text.search} maxLength={100} value={search} onChange={setSearch} />
      </ListTools>
      <PeopleList key={search} search={search} onClear={() => setSearch('')} />
    </OrganiserPage>
  )
}
