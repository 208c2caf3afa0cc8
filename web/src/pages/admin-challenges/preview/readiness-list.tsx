import { Link } from 'react-router'
import { useConfig } from '../../../api/use-contest.ts'
import { flagExample } from '../../../challenge/flag-example.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import type { Draft } from '../draft.ts'
import styles from './preview.module.css'
import { findingsOf } from './readiness.ts'

/** What the challenge still lacks before players see it, with links to the sections. */
export function ReadinessList({ draft }: { readonly draft: Draft }) {
  const text = useMessages(adminChallengesMessages)
  const findings = findingsOf(draft, flagExample(useConfig()?.flagFormatPlaceholder))
  const lacking = findings.filter(({ isMet }) => !isMet)
  return (
    <Panel title={text.ready.title} level={3}>
      <ul className={styles.findings}>
        {lacking.map(({ id, section }) => (
          <li key={id} data-unmet="">
            <Icon name="alert" />
            <span>{text.ready.lacks[id]}</span>
            <Link to={{ search: `?tab=${section}` }} replace preventScrollReset>
              {text.tab[section]}
            </Link>
          </li>
        ))}
        {lacking.length === 0 && (
          <li>
            <Icon name="check" />
            <span>{text.ready.complete}</span>
          </li>
        )}
      </ul>
    </Panel>
  )
}
