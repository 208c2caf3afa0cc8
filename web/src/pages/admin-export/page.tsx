import { OrganiserPage } from '../../organisers/organiser-page.tsx'
import { adminExportMessages } from '../../text/en/admin-export.ts'
import { useMessages } from '../../text/messages.ts'
import { BoardPart } from './board-part.tsx'
import { StandingsPart } from './standings-part.tsx'

export function Component() {
  const text = useMessages(adminExportMessages)
  return (
    <OrganiserPage title={text.title}>
      <div className="pn-stack pn-gap-4 pn-prose">
        <StandingsPart />
        <BoardPart />
      </div>
    </OrganiserPage>
  )
}
