import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useFailure } from '../../api/use-failure.ts'
import { useMay } from '../../api/use-contest.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { PlainPage } from '../../layout/states/plain-page.tsx'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { statusMessages } from '../../text/en/status.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { NewIncident, AddUpdate } from './incident-form.tsx'
import { statusQuery, type IncidentView } from './queries.ts'
import styles from './status.module.css'
import { deleteIncident } from '@pennant/contract/status.ts'
import { lazy, Suspense, useState } from 'react'
import { send } from '../../api/client.ts'
import { DeleteDialog } from '../../account/delete-dialog.tsx'
import { Button } from '../../ui/buttons/button.tsx'

const STATES = ['ok', 'unknown', 'degraded', 'down'] as const

/** The server reads them every few seconds. */
const OLD_AFTER_MS = 30 * SECOND_MS

/** What works, and what organisers say about what does not. Public, also before the event. */
export function Component() {
  const text = useMessages(statusMessages)
  const frame = useMessages(frameMessages)
  const format = useFormat()
  const reading = useQuery(statusQuery)
  const failure = useFailure(reading)
  const mayPost = useMay('settingsWrite')
  const { data } = reading
  if (!data)
    return (
      <PlainPage title={text.title}>
        <LoadState failure={failure}>
          <Skeleton rows={6} height="2.5rem" />
        </LoadState>
      </PlainPage>
    )
  const toHome = <Link to={paths.home()}>{frame.home}</Link>
  const worst = STATES.findLast((state) => data.components.some((one) => one.state === state)) ?? 'ok'
  return (
    <PlainPage title={text.title}>
      <p className={styles.summary} data-state={worst} role="status">
        <i aria-hidden="true" />
        <span>{text.summary[worst]}</span>
        <small>{text.asOf(format.time(data.now))}</small>
      </p>
      <Panel title={text.parts}>
        <ul className={styles.parts}>
          {data.components.map(({ name, state }) => (
            <li key={name} data-state={state}>
              <span>{text.component[name]}</span>
              <b>
                <i aria-hidden="true" /> {text.state[state]}
              </b>
            </li>
          ))}
        </ul>
      </Panel>
      {mayPost && <NewIncident />}
      <h2 className={styles.heading}>{text.incidents}</h2>
      {data.incidentsAt === null ? (
        <EmptyState action={toHome}>{text.unknownIncidents}</EmptyState>
      ) : data.now - data.incidentsAt > OLD_AFTER_MS ? (
        <p className="pn-warn">{text.oldIncidents(format.time(data.incidentsAt))}</p>
      ) : (
        data.incidents.length === 0 && <EmptyState action={toHome}>{text.noIncidents}</EmptyState>
      )}
      {data.incidents.map((incident) => (
        <IncidentPanel key={incident.id} incident={incident} mayPost={mayPost} />
      ))}
    </PlainPage>
  )
}

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

interface IncidentProps {
  readonly incident: IncidentView
}

function IncidentPanel({ incident, mayPost }: IncidentProps & { readonly mayPost: boolean }) {
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
