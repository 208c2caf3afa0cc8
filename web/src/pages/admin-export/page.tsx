import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { adminExportMessages } from '../../text/en/admin-export.ts'
import { useMessages } from '../../text/messages.ts'
import { BoardPart } from './board-part.tsx'
import styles from './export.module.css'
import { StandingsPart } from './standings-part.tsx'

export function Component() {
  const text = useMessages(adminExportMessages)
  return (
    <OrganiserPage title={text.title}>
      <div className={styles.page}>
        <StandingsPart />
        <BoardPart />
      </div>
    </OrganiserPage>
  )
}
