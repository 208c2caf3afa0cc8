import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { EmptyList } from '../../organisers/empty-list.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { paths, inPlace, withParams } from '../../paths.ts'
import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import { ActionSheet } from './action-sheet.tsx'
import styles from './actions.module.css'
import { CsvPart } from './csv-part.tsx'
import { Filters } from './filters.tsx'
import { actionsQuery, type Action, type ActionFilter } from './queries.ts'
import { useColumns } from './use-columns.tsx'

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
