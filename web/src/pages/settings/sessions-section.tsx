import { endOtherSessions, endSession } from '@pennant/contract/sessions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/client.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { useTimed } from '../../state/clock.ts'
import { personSignInMessages } from '../../text/en/person-sign-in.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { methodNames } from '../../account/method-names.ts'
import { browserName } from '../../account/browser-name.ts'
import { Outcome } from './outcome.tsx'
import { sessionsQuery } from './person-queries.ts'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'

/** The browsers in which the person is signed in. */
export function SessionsSection() {
  const text = useMessages(personSignInMessages)
  const settings = useMessages(settingsMessages)
  const queries = useQueryClient()
  const change = useChange(text.failures)
  const query = useQuery(sessionsQuery)
  const failure = useFailure(query)
  const confirm = (said: string) => {
    announce(said)
    void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  const end = (id: string) =>
    void change.run(
      () => send(endSession, { params: { id } }),
      () => confirm(text.sessionEnded),
    )
  const endOthers = () =>
    void change.run(
      () => send(endOtherSessions, {}),
      () => confirm(text.othersEnded),
    )
  const sessions = query.data?.sessions
  return (
    <Panel title={settings.sessions}>
      <div className={styles.form}>
        <p>{text.sessionsText}</p>
        {sessions ? (
          <SessionList sessions={sessions} onEnd={end} />
        ) : (
          <LoadState failure={failure}>
            <Skeleton rows={2} height="var(--pn-row)" />
          </LoadState>
        )}
        <Outcome change={change} />
        {sessions && sessions.length > 1 && (
          <div className={styles.actions}>
            <ConfirmButton busy={change.isPending} onConfirm={endOthers}>
              {text.endOthers}
            </ConfirmButton>
          </div>
        )}
      </div>
    </Panel>
  )
}

interface SessionListProps {
  readonly sessions: readonly {
    readonly id: string
    readonly methods: readonly string[]
    readonly browser: string
    readonly ip: string | null
    readonly lastUsedAt: number
    readonly isCurrent: boolean
  }[]
  readonly onEnd: (id: string) => void
}

/** The times are minutes at best. */
const MINUTE_MS = 60_000

function SessionList({ sessions, onEnd }: SessionListProps) {
  const text = useMessages(personSignInMessages)
  const format = useFormat()
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const methods: Readonly<Record<string, string>> = text.method
  return (
    <ul className={styles.members}>
      {sessions.map(({ id, browser, ip, methods: used, lastUsedAt, isCurrent }) => {
        const name = browserName(browser) ?? text.unknownBrowser
        const ago = text.lastUsed(format.relative(Math.min(lastUsedAt, now), now))
        return (
          <li key={id}>
            <div>
              <bdi>{name}</bdi>
              {isCurrent && <strong> · {text.thisBrowser}</strong>}
              <div className={styles.small}>
                {[ip, methodNames(used, methods), ago].filter(Boolean).join(' · ')}
              </div>
            </div>
            {!isCurrent && (
              <Button aria-label={text.endSessionOf(name)} onClick={() => onEnd(id)}>
                {text.endSession}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
