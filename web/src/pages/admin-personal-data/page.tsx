import { useQuery } from '@tanstack/react-query'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { personalDataMessages } from '../../text/en/personal-data.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { markdownOf, measuresOf, partsOf, receiversOf, timeOf } from './markdown.ts'
import styles from './personal-data.module.css'
import { privacyQuery, recordQuery, type ProcessingData } from './queries.ts'
import { RetentionForm } from './retention-form.tsx'

/** When personal data is erased, and the record of processing. */
export function Component() {
  const text = useMessages(personalDataMessages)
  const record = useQuery(recordQuery)
  const privacy = useQuery(privacyQuery)
  return (
    <OrganiserPage title={text.page}>
      <div className={styles.form}>
        {privacy.data ? (
          <RetentionForm key={JSON.stringify(privacy.data)} saved={privacy.data} />
        ) : (
          <Waiting query={privacy} rows={6} />
        )}
      </div>
      {record.data ? (
        <>
          <Erasure record={record.data} />
          <RecordPart record={record.data} />
        </>
      ) : (
        <Waiting query={record} rows={8} />
      )}
      <LeaveGuard />
    </OrganiserPage>
  )
}

function Erasure({ record }: { readonly record: ProcessingData }) {
  const text = useMessages(personalDataMessages)
  const format = useFormat()
  const { run, preview, eraseAt } = record.retention
  const state =
    eraseAt === null
      ? text.noDate
      : run === null
        ? text.willErase(format.dateTime(eraseAt))
        : run.finishedAt === null
          ? text.erasing(format.dateTime(run.startedAt))
          : text.erased(format.dateTime(run.finishedAt))
  const counts = Object.entries(run?.counts ?? preview)
  const label = run === null ? text.preview : text.counts
  return (
    <div className={styles.form}>
      <p role="status">{state}</p>
      <h2>{label}</h2>
      <DataTable
        label={label}
        columns={[
          { id: 'table', head: text.table, cell: ([table]) => table },
          { id: 'rows', head: text.rows, align: 'end', cell: ([, count]) => format.number(count) },
        ]}
        rows={counts}
        rowId={([table]) => table}
        empty={<EmptyState action={null}>{text.nothing}</EmptyState>}
      />
    </div>
  )
}

function RecordPart({ record }: { readonly record: ProcessingData }) {
  const text = useMessages(personalDataMessages)
  const format = useFormat()
  const save = () =>
    saveFile({
      name: 'record-of-processing.md',
      content: markdownOf(record, text, format),
      type: 'text/markdown;charset=utf-8',
    })
  const receivers = receiversOf(record, text)
  return (
    <section className={styles.record} aria-labelledby="record">
      <h2 id="record">{text.record}</h2>
      <p className="pn-muted">{text.recordAbout}</p>
      <div className={styles.actions}>
        <Button icon="download" onClick={save}>
          {text.markdown}
        </Button>
        <Button onClick={() => window.print()}>{text.print}</Button>
      </div>
      <h3>{text.controller}</h3>
      <p className={styles.lines}>{record.controller === '' ? text.notNamed : record.controller}</p>
      <h3>{text.settings}</h3>
      <p>{timeOf(record, text, format)}</p>
      {partsOf(record, text).map(({ title, rows }) => (
        <Panel key={title} title={title} level={3}>
          <dl className={styles.rows}>
            {rows.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      ))}
      <h3>{text.receivers}</h3>
      {receivers.length === 0 ? <p>{text.noReceivers}</p> : <List items={receivers} />}
      <h3>{text.measures}</h3>
      <List items={measuresOf(record, text)} />
    </section>
  )
}

function List({ items }: { readonly items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item} className="pn-words">
          {item}
        </li>
      ))}
    </ul>
  )
}
