import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { EmptyList } from '../../organisers/empty-list.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { paths, inPlace, withParams } from '../../paths.ts'
import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages, useErrorText, useFormat } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { ActionSheet } from './action-sheet.tsx'
import styles from './actions.module.css'
import { actionsQuery, type Action, type ActionFilter, downloadCsv } from './queries.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { RequestFailure } from '../../api/failure.ts'
import { serverNow } from '../../state/clock.ts'
import { saveFile } from '../../ui/save-file.ts'
import { otherActor, useActionName } from './use-action-name.ts'
import { COMMAND_LINE } from '@pennant/contract/actions.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { DebouncedSearch } from '../../ui/fields/debounced-search.tsx'
import { Select } from '../../ui/fields/inputs.tsx'

/** Who changed what: the log of all actions of organisers and commands. */
export function Component() {
  const text = useMessages(adminActionsMessages)
  const frame = useMessages(frameMessages)
  const [params, setParams] = useSearchParams()
  const [opened, setOpened] = useState<Action | null>(null)
  const filter = filterOf(params)
  const before = params.get('before') ?? ''
  const query = useQuery(actionsQuery(filter, before))
  const change = (changes: Readonly<Record<string, string>>) =>
    setParams((old) => withParams(old, { before: '', ...changes }), inPlace(changes))
  const columns = useColumns(change)
  const { data } = query
  return (
    <OrganiserPage title={text.actions}>
      <p className="pn-prose pn-flat pn-muted">{text.about}</p>
      <ListTools end={<CsvPart filter={filter} />}>
        <Filters filter={filter} seen={data?.actions ?? []} onChange={change} />
      </ListTools>
      {data ? (
        <>
          <DataTable
            cards
            label={text.actions}
            columns={columns}
            rows={data.actions}
            rowId={({ seq }) => String(seq)}
            current={opened === null ? undefined : String(opened.seq)}
            onOpen={setOpened}
            empty={
              <EmptyList action={<Link to={paths.dashboard()}>{frame.organiser.dashboard}</Link>}>
                {text.noneFound}
              </EmptyList>
            }
          />
          <div className={styles.pages}>
            {before !== '' && <Button onClick={() => change({})}>{text.newest}</Button>}
            {data.next !== null && (
              <Button icon="chevronDown" onClick={() => setParams(withParams(params, olderThan(data.next)))}>
                {text.older}
              </Button>
            )}
          </div>
        </>
      ) : (
        <Waiting query={query} rows={12} />
      )}
      <ActionSheet action={opened} onClose={() => setOpened(null)} />
    </OrganiserPage>
  )
}

const olderThan = (seq: number | null) => ({ before: seq === null ? '' : String(seq) })

function filterOf(params: URLSearchParams): ActionFilter {
  const instant = (name: string) => {
    const at = Number(params.get(name) ?? '')
    return Number.isSafeInteger(at) && at > 0 ? at : null
  }
  const text = (name: string) => params.get(name) ?? ''
  return {
    kind: text('kind'),
    actor: text('actor'),
    target: text('target'),
    from: instant('from'),
    until: instant('until'),
  }
}

/** Saves the filtered entries, oldest first. */
function CsvPart({ filter }: { readonly filter: ActionFilter }) {
  const text = useMessages(adminActionsMessages)
  const errorText = useErrorText('once')
  const saving = useMutation({
    mutationFn: async () => {
      const content = await downloadCsv(filter)
      const at = new Date(serverNow()).toISOString().replaceAll(':', '-')
      saveFile({ name: `actions-${at}.csv`, content, type: 'text/csv;charset=utf-8' })
    },
  })
  return (
    <>
      <Button icon="download" busy={saving.isPending} onClick={() => saving.mutate()}>
        {text.csv}
      </Button>
      <FailureLine>
        {saving.error instanceof RequestFailure ? errorText(saving.error) : undefined}
      </FailureLine>
    </>
  )
}

interface ActorProps {
  readonly actor: Action['actor']
  readonly onFilter: (changes: Readonly<Record<string, string>>) => void
}

/** The account, with the person and the API token that it was. */
function Actor({ actor, onFilter }: ActorProps) {
  const text = useMessages(adminActionsMessages)
  const { id, name, person, apiToken } = actor
  if (id === null) return otherActor(name, text)
  return (
    <span className="pn-grid">
      <button
        type="button"
        className={styles.choice}
        title={text.onlyActor(name ?? id)}
        onClick={() => onFilter({ actor: id })}
      >
        <bdi>{name ?? id}</bdi>
      </button>
      {person && (
        <span className="pn-fine pn-muted pn-words">
          <bdi>{person.name ?? person.id}</bdi>
        </span>
      )}
      {apiToken && (
        <span className="pn-fine pn-muted pn-words">
          {text.apiToken}: <bdi>{apiToken.name}</bdi>
        </span>
      )}
    </span>
  )
}

/** `onFilter` shows only the entries of an organiser. */
function useColumns(onFilter: (changes: Readonly<Record<string, string>>) => void): Column<Action>[] {
  const text = useMessages(adminActionsMessages)
  const format = useFormat()
  const nameOf = useActionName()
  return [
    {
      id: 'at',
      head: text.time,
      cell: ({ at }) => (
        <time dateTime={new Date(at).toISOString()} title={format.utc(at)}>
          {format.dateTime(at)}
        </time>
      ),
    },
    {
      id: 'actor',
      head: text.who,
      cell: ({ actor }) => <Actor actor={actor} onFilter={onFilter} />,
    },
    { id: 'action', head: text.what, cell: ({ action }) => nameOf(action) },
    {
      id: 'targets',
      head: text.on,
      cell: ({ targets }) =>
        targets.map(({ id, name }) => (
          <bdi key={id} className={styles.name}>
            {name ?? id}
          </bdi>
        )),
    },
    {
      id: 'fields',
      head: text.fields,
      cell: ({ before, after, undoes, undoneBy }) => (
        <span className={styles.names}>
          {before !== null && after !== null && Object.keys(after).join(', ')}
          {undoes !== null && ` · ${text.isUndo}`}
          {undoneBy !== null && ` · ${text.isUndone}`}
        </span>
      ),
    },
  ]
}

interface FiltersProps {
  readonly filter: ActionFilter
  /** Entries that are shown: their organisers can be chosen. */
  readonly seen: readonly Action[]
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}

function Filters({ filter, seen, onChange }: FiltersProps) {
  const text = useMessages(adminActionsMessages)
  const { kind, actor, target, from, until } = filter
  const isReversed = from !== null && until !== null && from >= until
  const kinds = Object.entries(text.kinds).map(([value, label]) => ({ value, label }))
  const filterBy = (bound: 'from' | 'until', at: number | null) => {
    if (!Number.isNaN(at)) onChange({ [bound]: String(at ?? '') })
  }
  // A link may name a kind of a newer server.
  const known = kind === '' || Object.hasOwn(text.kinds, kind) ? [] : [{ value: kind, label: kind }]
  return (
    <>
      <Select
        label={text.kind}
        value={kind}
        choices={[{ value: '', label: text.all }, ...kinds, ...known]}
        onChange={(next) => onChange({ kind: next })}
      />
      <Select
        label={text.who}
        value={actor}
        choices={[{ value: '', label: text.everyone }, ...actorsOf(seen, actor, text.commandLine)]}
        onChange={(next) => onChange({ actor: next })}
      />
      <DebouncedSearch
        label={text.target}
        maxLength={255}
        value={target}
        onChange={(next) => onChange({ target: next })}
      />
      <DateTime compact label={text.from} value={from} onChange={(at) => filterBy('from', at)} />
      <DateTime
        compact
        label={text.until}
        value={until}
        {...(isReversed ? { error: text.untilTooEarly } : {})}
        onChange={(at) => filterBy('until', at)}
      />
    </>
  )
}

/** Everyone in the list, the command line, and the one who is chosen. */
function actorsOf(seen: readonly Action[], chosen: string, commandLine: string) {
  const names = new Map([[COMMAND_LINE as string, commandLine]])
  if (chosen !== '' && chosen !== COMMAND_LINE) names.set(chosen, chosen)
  for (const { actor } of seen) if (actor.id !== null) names.set(actor.id, actor.name ?? actor.id)
  return Array.from(names, ([value, label]) => ({ value, label }))
}
