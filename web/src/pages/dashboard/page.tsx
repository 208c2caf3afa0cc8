import { useMay, usePhase } from '../../api/use-contest.ts'
import { OrganiserPage } from '../../layout/organiser-list/organiser-page.tsx'
import { useText } from '../../text/catalogue.ts'
import { Section } from '../../ui/states/panel.tsx'
import { CheckList } from './check-list.tsx'
import { LastSolves } from './last-solves.tsx'
import { Numbers } from './numbers.tsx'
import { Unsolved } from './unsolved.tsx'
import { Attention } from './attention.tsx'
import { words } from './words.ts'

/** Each part stands by itself: who lacks a right misses that part, and a source that fails takes no other down. */
export function Component() {
  const text = useText(words)
  const phase = usePhase()
  const mayRead = useMay('challsRead')
  const mayOversee = useMay('challsRead', 'usersWrite')
  const isBefore = phase === 'before'
  return (
    <OrganiserPage title={text.title}>
      {mayRead && isBefore && (
        <Section title={text.checkList}>
          <CheckList />
        </Section>
      )}
      {mayRead && (
        <Section title={text.warnings}>
          <Attention withChecks={!isBefore} />
        </Section>
      )}
      <Section title={text.numbers}>
        <Numbers isFull={mayOversee} />
      </Section>
      {mayOversee && !isBefore && (
        <>
          <Section title={text.lastSolves}>
            <LastSolves />
          </Section>
          <Section title={text.unsolved}>
            <Unsolved />
          </Section>
        </>
      )}
    </OrganiserPage>
  )
}
