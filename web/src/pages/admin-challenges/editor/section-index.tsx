import { Link } from 'react-router'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import styles from '../challenges.module.css'

export interface IndexEntry {
  readonly id: string
  readonly label: string
  /** Marks an error or a change in the section, with a text for screen readers. */
  readonly mark?: { readonly tone: 'error' | 'changed'; readonly word: string } | undefined
}

interface SectionIndexProps {
  readonly entries: readonly IndexEntry[]
  /** The section that is being read. */
  readonly current: string | undefined
}

/** Links to the sections of the form. They keep their addresses: `?tab=` and the id. */
export function SectionIndex({ entries, current }: SectionIndexProps) {
  const text = useMessages(adminChallengesMessages)
  return (
    <nav aria-label={text.tabs} className={styles.index}>
      {entries.map(({ id, label, mark }) => (
        <Link
          key={id}
          to={{ search: `?tab=${id}` }}
          replace
          preventScrollReset
          aria-current={id === current ? 'location' : undefined}
          className={styles.indexLink}
        >
          {label}
          {mark && (
            <span role="img" aria-label={mark.word} data-tone={mark.tone} className={styles.mark}>
              {mark.tone === 'error' ? '!' : '•'}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
