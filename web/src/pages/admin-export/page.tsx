import { OrganiserPage } from '../../layout/organiser-list/organiser-page.tsx'
import { useText } from '../../text/catalogue.ts'
import { BoardPart } from './board-part.tsx'
import styles from './export.module.css'
import { StandingsPart } from './standings-part.tsx'
import { words } from './words.ts'

export function Component() {
  const text = useText(words)
  return (
    <OrganiserPage title={text.title}>
      <div className={styles.page}>
        <StandingsPart />
        <BoardPart />
      </div>
    </OrganiserPage>
  )
}
