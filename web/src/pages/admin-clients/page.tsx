import { useQuery } from '@tanstack/react-query'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminClientsMessages } from '../../text/en/admin-clients.ts'
import { useMessages } from '../../text/messages.ts'
import { ClientTable } from './client-table.tsx'
import styles from './clients.module.css'
import { NewClient } from './new-client.tsx'
import { clientsQuery } from './queries.ts'

/** The sites that can sign teams in. */
export function Component() {
  const text = useMessages(adminClientsMessages)
  const query = useQuery(clientsQuery)
  return (
    <OrganiserPage title={text.title}>
      <p className="pn-prose pn-flat">{text.about}</p>
      <p className="pn-prose pn-flat">
        {/* A page of its own, not of this application. */}
        <a href="/api-docs/">{text.api}</a>
      </p>
      {query.data ? <ClientTable clients={query.data} /> : <Waiting query={query} rows={4} />}
      <div className={styles.narrow}>
        <NewClient />
      </div>
    </OrganiserPage>
  )
}
