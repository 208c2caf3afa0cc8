import { useState, useMemo } from 'react'
import { useColumnChoice } from '../../organisers/column-choice.tsx'
import { filterBody, keepsNothing } from '../../organisers/filter-body.ts'
import { DebouncedSearch } from '../../ui/fields/debounced-search.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { useListAddress } from '../../organisers/use-list-address.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { FilterChips } from '../../ui/data/filter-chips.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { useColumns } from './columns.tsx'
import { PagedList, type ListProps } from './paged-list.tsx'
import { auditSorts, requestOf, type AuditRow, tailQuery } from './queries.ts'
import { SubmissionsCsv } from './submissions-csv.tsx'
import { SubmissionSheet } from './submission-sheet.tsx'
import styles from './submissions.module.css'
import { NoSubmissions } from './no-submissions.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { customPeriod, periodOf, PERIODS } from './period.ts'
import { useConfig } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { refresh } from '../../state/live.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import { freshCount } from './tail.ts'

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
  const only = (wanted: string) => (value: string) => {
    const others = filters.filter(({ field }) => field !== wanted)
    address.setFilters([...others, { field: wanted, not: false, values: [value] }])
  }
  const columns = useColumns({ areTextsShown, onIp: only('ip'), onPerson: only('person') })
  const { shown, chooser } = useColumnChoice('submissions', columns)
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

interface PeriodPickerProps {
  readonly period: ReturnType<typeof usePeriod>
  /** The period in URL format; empty for all. */
  readonly onChange: (time: string) => void
}

/** Selects a named period or a custom time range. */
function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  const text = useMessages(adminSubmissionsMessages)
  const { name, after, before, choices } = period
  const customise = (from: number | null, until: number | null) => {
    if (!Number.isNaN(from) && !Number.isNaN(until)) onChange(customPeriod(from, until))
  }
  const choose = (chosen: string) => {
    if (chosen === 'custom') customise(after, before)
    else onChange(chosen === 'all' ? '' : chosen)
  }
  const isReversed = after !== null && before !== null && after >= before
  return (
    <>
      <Select label={text.time} value={name} choices={choices} onChange={choose} />
      {name === 'custom' && (
        <>
          <DateTime
            compact
            label={text.from}
            value={after}
            onChange={(instant) => customise(instant, before)}
          />
          <DateTime
            compact
            label={text.until}
            value={before}
            {...(isReversed ? { error: text.untilTooEarly } : {})}
            onChange={(instant) => customise(after, instant)}
          />
        </>
      )}
    </>
  )
}

/**
 * The selected period. `chosen` is a named period, relative to the time of selection, or a custom range
 * `<from>-<until>` in Unix milliseconds, where either bound can be missing.
 */
function usePeriod(chosen: string) {
  const text = useMessages(adminSubmissionsMessages)
  const start = useConfig()?.startTime ?? null
  const period = useMemo(() => periodOf(chosen, start, serverNow()), [chosen, start])
  return { ...period, choices: PERIODS.map((value) => ({ value, label: text.periods[value] })) }
}

const EVERY_MS = 300_000

/** Fields that filter chips support. A team filter usually comes from a link in its sheet. */
const AUDIT_FIELDS = [
  'result',
  'kind',
  'challenge',
  'category',
  'division',
  'teamStatus',
  'ip',
  'team',
  'person',
]

function useFields() {
  const text = useMessages(adminSubmissionsMessages)
  const { activity } = useMessages(peopleMessages)
  const config = useConfig()
  const divisions = config?.divisions ?? {}
  const { data } = useQuery({
    queryKey: [OWN_KEY, 'audit-challenges'],
    queryFn: ({ signal }) => requestData(listAdminChallengesV2, {}, { signal }),
    ...refresh(EVERY_MS),
  })
  const challenges = data ?? []
  const categories = [...new Set(challenges.map(({ category }) => category))]
  return [
    { id: 'result', label: text.result, choices: choicesOf(text.results) },
    { id: 'kind', label: text.type, choices: choicesOf(text.kinds) },
    {
      id: 'challenge',
      label: text.challenge,
      choices: challenges.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      id: 'category',
      label: text.category,
      choices: categories.map((value) => ({ value, label: value })),
    },
    { id: 'division', label: text.division, choices: choicesOf(divisions) },
    { id: 'teamStatus', label: text.teamStatus, choices: choicesOf(text.teamStatuses) },
    { id: 'ip', label: text.ip },
    { id: 'team', label: text.teamId },
    ...(config?.people ? [{ id: 'person', label: activity.personId }] : []),
  ]
}

function choicesOf(of: Readonly<Record<string, string>>) {
  return Object.entries(of).map(([value, label]) => ({ value, label }))
}

/** Live submissions. New rows are held back while the list has the pointer or the focus, or is scrolled. */
function LiveList({ filter, columns, ...table }: ListProps) {
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
