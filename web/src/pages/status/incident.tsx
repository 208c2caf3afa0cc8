import { deleteIncident } from '@pennant/contract/status.ts'
import { lazy, Suspense, useState } from 'react'
import { send } from '../../api/client.ts'
import { DeleteDialog } from '../../account/delete-dialog.tsx'
import { statusMessages } from '../../text/en/status.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { AddUpdate } from './incident-form.tsx'
import { statusQuery, type IncidentView } from './queries.ts'
import styles from './status.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

interface IncidentProps {
  readonly incident: IncidentView
}

export function IncidentPanel({ incident, mayPost }: IncidentProps & { readonly mayPost: boolean }) {
  const text = useMessages(statusMessages)
  const format = useFormat()
  const { title, severity, state, components, updates } = incident
  const [open, setOpen] = useState<'update' | 'deletion' | null>(null)
  const close = () => setOpen(null)
  return (
    <Panel title={<bdi>{title}</bdi>} level={3}>
      <p className={styles.facts}>
        <b data-severity={severity}>{text.severity[severity]}</b>
        <b data-incident={state}>{text.incidentState[state]}</b>
        {components.length > 0 && (
          <span>{text.affects(format.list(components.map((name) => text.component[name])))}</span>
        )}
      </p>
      <ol className={styles.updates}>
        {updates.map((update) => (
          <li key={`${update.at} ${update.text}`}>
            <p className={styles.when}>
              <b>{text.incidentState[update.state]}</b>
              <time dateTime={new Date(update.at).toISOString()}>{format.dateTime(update.at)}</time>
            </p>
            <Suspense fallback={<p>{update.text}</p>}>
              <Markdown text={update.text} />
            </Suspense>
          </li>
        ))}
      </ol>
      {mayPost && open !== 'update' && (
        <div className={styles.actions}>
          <Button onClick={() => setOpen('update')}>{text.addUpdate}</Button>
          <Button tone="danger" onClick={() => setOpen('deletion')}>
            {text.delete}
          </Button>
        </div>
      )}
      {open === 'update' && <AddUpdate incident={incident} onClose={close} />}
      {open === 'deletion' && (
        <DeleteDialog
          title={text.deleteTitle(title)}
          about={text.deleteAbout}
          deleted={text.deleted}
          request={() => send(deleteIncident, { params: { id: incident.id } })}
          queryKey={statusQuery.queryKey}
          onClose={close}
        />
      )}
    </Panel>
  )
}
