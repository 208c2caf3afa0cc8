import { useState } from 'react'
import { useColumnChoice } from '../../organisers/column-choice.tsx'
import { filterBody, keepsNothing } from '../../organisers/filter-body.ts'
import { DebouncedSearch } from '../../ui/fields/debounced-search.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { useListAddress } from '../../organisers/use-list-address.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useMessages } from '../../text/messages.ts'
import { FilterChips } from '../../ui/data/filter-chips.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { useColumns } from './columns.tsx'
import { LiveList } from './live-list.tsx'
import { PagedList } from './paged-list.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { auditSorts, requestOf, type AuditRow } from './queries.ts'
import { SubmissionsCsv } from './submissions-csv.tsx'
import { SubmissionSheet } from './submission-sheet.tsx'
import styles from './submissions.module.css'
import { AUDIT_FIELDS, useFields } from './use-fields.ts'
import { usePeriod } from './use-period.ts'
import { NoSubmissions } from './no-submissions.tsx'

export function Component() {
  const text = useMessages(adminSubmissionsMessages)
  const address = useListAddress({ sorts: auditSorts, direction: 'descending', fields: AUDIT_FIELDS })
  const { change, filters } = address
  const period = usePeriod(address.param('time'))
  const [isLive, setLive] = useState(false)
  const [areTextsShown, setTextsShown] = useState(false)
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const { after, before } = period
  const searches = { teamSearch: address.param('team'), challengeSearch: address.param('challenge') }
  const filter = { ...searches, filters, after, before }
  const onIp = (ip: string) => {
    const others = filters.filter(({ field }) => field !== 'ip')
    address.setFilters([...others, { field: 'ip', not: false, values: [ip] }])
  }
  const { shown, chooser } = useColumnChoice('submissions', useColumns({ areTextsShown, onIp }))
  const list = { filter, columns: shown, current: opened?.id, onOpen: setOpened }
  // Data cached for one filter says nothing about another.
  const { searches: searched, body } = requestOf(filter)
  const isImpossible = keepsNothing(filterBody(filters))
  return (
    <OrganiserPage title={text.title}>
      <ListTools
        end={
          <>
            {chooser}
            <SubmissionsCsv filter={filter} />
          </>
        }
      >
        <DebouncedSearch
          label={text.team}
          maxLength={100}
          value={searches.teamSearch}
          onChange={(team) => change({ team })}
        />
        <DebouncedSearch
          label={text.challengeSearch}
          maxLength={100}
          value={searches.challengeSearch}
          onChange={(challenge) => change({ challenge })}
        />
        <PeriodPicker period={period} onChange={(time) => change({ time })} />
        <FilterChips fields={useFields()} filters={filters} onChange={address.setFilters} />
      </ListTools>
      <div className={styles.switches}>
        <Switch label={text.live} checked={isLive} onChange={setLive} />
        <Switch label={text.showTexts} checked={areTextsShown} onChange={setTextsShown} />
      </div>
      {isImpossible && <NoSubmissions />}
      {!isImpossible &&
        (isLive ? (
          <LiveList key={JSON.stringify([searched, body])} {...list} />
        ) : (
          <PagedList {...list} address={address} />
        ))}
      <SubmissionSheet row={opened} areTextsShown={areTextsShown} onClose={() => setOpened(null)} />
    </OrganiserPage>
  )
}
