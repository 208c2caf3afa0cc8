import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { filterBody, keepsNothing } from '../../layout/organiser-list/filter-body.ts'
import { OrganiserPage, Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { Pager } from '../../layout/organiser-list/pager.tsx'
import { useListAddress } from '../../layout/organiser-list/use-list-address.ts'
import { useText } from '../../text/catalogue.ts'
import { DataTable } from '../../ui/data/data-table.tsx'
import { FilterChips } from '../../ui/data/filter-chips.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { useColumns } from './columns.tsx'
import { CsvButton } from './csv-button.tsx'
import { auditQuery, auditSorts, type AuditRow } from './queries.ts'
import { SubmissionSheet } from './submission-sheet.tsx'
import styles from './submissions.module.css'
import { AUDIT_FIELDS, useFields } from './use-fields.ts'
import { usePeriod } from './use-period.ts'
import { words } from './words.ts'

export function Component() {
  const text = useText(words)
  const address = useListAddress({ sorts: auditSorts, direction: 'descending', fields: AUDIT_FIELDS })
  const { change, filters, sort, page } = address
  const period = usePeriod(address.param('time'))
  const [isLive, setLive] = useState(false)
  const [areTextsShown, setTextsShown] = useState(false)
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const filter = {
    teamSearch: address.param('team'),
    challengeSearch: address.param('challenge'),
    filters,
    after: period.after,
  }
  const isImpossible = keepsNothing(filterBody(filters))
  const query = useQuery({ ...auditQuery({ ...filter, sort, page, isLive }), enabled: !isImpossible })
  const columns = useColumns(areTextsShown)
  const data = isImpossible ? undefined : query.data
  return (
    <OrganiserPage title={text.title}>
      <div className={styles.tools}>
        <TextInput
          type="search"
          label={text.teamSearch}
          maxLength={100}
          value={filter.teamSearch}
          onChange={(team) => change({ team })}
        />
        <TextInput
          type="search"
          label={text.challengeSearch}
          maxLength={100}
          value={filter.challengeSearch}
          onChange={(challenge) => change({ challenge })}
        />
        <Select
          label={text.period}
          value={period.name}
          choices={period.choices}
          onChange={(time) => change({ time: time === 'all' ? '' : time })}
        />
        <Switch label={text.live} checked={isLive} onChange={setLive} />
        <Switch label={text.showTexts} checked={areTextsShown} onChange={setTextsShown} />
        {data && <CsvButton filter={filter} total={data.total} />}
      </div>
      <FilterChips fields={useFields()} filters={filters} onChange={address.setFilters} />
      {isImpossible && <EmptyState>{text.none}</EmptyState>}
      {!isImpossible && !data && <Waiting query={query} rows={12} />}
      {data && (
        <>
          <DataTable
            label={text.table}
            columns={columns}
            rows={data.submissions}
            total={data.total}
            rowId={({ id }) => id}
            sort={sort}
            onSort={address.setSort}
            current={opened?.id}
            onOpen={setOpened}
            density="compact"
            empty={text.none}
          />
          <Pager page={page} total={data.total} onPage={address.setPage} />
        </>
      )}
      <SubmissionSheet row={opened} onClose={() => setOpened(null)} />
    </OrganiserPage>
  )
}
