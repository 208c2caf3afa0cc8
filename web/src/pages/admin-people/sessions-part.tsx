import { endOrganiserSession } from '@pennant/contract/organiser-people.ts'
import { useQuery } from '@tanstack/react-query'
import { browserName } from '../../account/browser-name.ts'
import { methodNames } from '../../account/method-names.ts'
import { send } from '../../api/client.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { useTimed } from '../../state/clock.ts'
import { organiserPeopleMessages } from '../../text/en/organiser-people.ts'
import { personSignInMessages } from '../../text/en/person-sign-in.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { organiserSessionsQuery, organisersKey, type OrganiserSession } from './queries.ts'

/** The times are minutes at best. */
const MINUTE_MS = 60_000

/** Where organisers are signed in. */
export function SessionsPart() {
  const text = useMessages(organiserPeopleMessages)
  const query = useQuery(organiserSessionsQuery)
  const action = useListAction(organisersKey)
  const columns = useColumns(
    (id) => void action.run(send(endOrganiserSession, { params: { id } }), text.ended),
  )
  return (
    <Section title={text.sessions} level={2}>
      {query.data ? (
        <DataTable
          cards
          label={text.sessions}
          columns={columns}
          rows={query.data.sessions}
          rowId={({ id }) => id}
          rowName={({ person }) => person.name}
          empty={<EmptyState isPart>{text.noSessions}</EmptyState>}
        />
      ) : (
        <Waiting query={query} rows={3} />
      )}
      {action.failure && <p role="alert">{action.failure}</p>}
    </Section>
  )
}

function useColumns(onEnd: (id: string) => void): Column<OrganiserSession>[] {
  const text = useMessages(organiserPeopleMessages)
  const signIn = useMessages(personSignInMessages)
  const format = useFormat()
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  return [
    { id: 'name', head: text.name, cell: ({ person }) => <bdi>{person.name}</bdi> },
    {
      id: 'browser',
      head: text.browser,
      cell: ({ browser, isCurrent }) => (
        <>
          <bdi>{browserName(browser) ?? signIn.unknownBrowser}</bdi>
          {isCurrent && <strong> · {text.thisOne}</strong>}
        </>
      ),
    },
    {
      id: 'methods',
      head: text.methods,
      cell: ({ methods }) => methodNames(methods, signIn.method),
    },
    { id: 'address', head: text.address, cell: ({ ip }) => <span dir="ltr">{ip ?? '–'}</span> },
    {
      id: 'lastUsed',
      head: text.lastUsed,
      cell: ({ lastUsedAt }) => format.relative(Math.min(lastUsedAt, now), now),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: ({ id, person, isCurrent }) =>
        isCurrent ? null : (
          <ConfirmButton onConfirm={() => onEnd(id)}>
            {text.end} <span className="pn-hidden">{person.name}</span>
          </ConfirmButton>
        ),
    },
  ]
}
