import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { adminPagesMessages } from '../../text/en/admin-pages.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { languageLabel } from '../../text/language-label.ts'
import styles from './admin-pages.module.css'
import { draftOf, type Draft, type DraftText } from './draft.ts'
import { lineDiff } from './line-diff.ts'
import { versionQuery, type AdminPage, type PageVersion } from './queries.ts'

interface HistoryProps {
  readonly page: AdminPage
  readonly versions: readonly PageVersion[]
  readonly onRestore: (version: number, draft: Draft) => void
}

/** All versions, newest first. */
export function History({ page, versions, onRestore }: HistoryProps) {
  const text = useMessages(adminPagesMessages)
  const format = useFormat()
  const [opened, setOpened] = useState<number | null>(null)
  return (
    <ol className={styles.history}>
      {versions.map(({ version, savedAt, savedByName }) => {
        const when = format.dateTime(savedAt)
        const isCurrent = version === page.version
        return (
          <li key={version}>
            <b>{text.version(format.number(version))}</b>
            {isCurrent && ` · ${text.current}`}
            <p>{savedByName === null ? text.savedAt(when) : text.savedBy(when, savedByName)}</p>
            {!isCurrent && (
              <Button
                aria-expanded={opened === version}
                onClick={() => setOpened(opened === version ? null : version)}
              >
                {text.compare}
              </Button>
            )}
            {opened === version && <Comparison page={page} version={version} onRestore={onRestore} />}
          </li>
        )
      })}
    </ol>
  )
}

interface ComparisonProps extends Omit<HistoryProps, 'versions'> {
  readonly version: number
}

function Comparison({ page, version, onRestore }: ComparisonProps) {
  const text = useMessages(adminPagesMessages)
  const query = useQuery(versionQuery(page.id, version))
  if (!query.data) return <Waiting query={query} rows={4} />
  const earlier = draftOf({ ...page, ...query.data })
  const languages = [...new Set([...page.texts, ...earlier.texts].map(({ language }) => language))]
  const differing = languages.filter((language) => textIn(page, language) !== textIn(earlier, language))
  return (
    <div className={styles.comparison}>
      {differing.length === 0 && <p>{text.same}</p>}
      {differing.map((language) => (
        <Difference
          key={language}
          language={language}
          before={textIn(earlier, language)}
          after={textIn(page, language)}
        />
      ))}
      <Button onClick={() => onRestore(version, earlier)}>{text.restore}</Button>
    </div>
  )
}

function textIn({ texts }: { readonly texts: readonly DraftText[] }, language: string): string {
  const found = texts.find((each) => each.language === language)
  return found ? `# ${found.title}\n\n${found.content}` : ''
}

interface DifferenceProps {
  readonly language: string
  readonly before: string
  readonly after: string
}

function Difference({ language, before, after }: DifferenceProps) {
  const text = useMessages(adminPagesMessages)
  const marks = { same: '', added: text.added, removed: text.removed }
  return (
    <section aria-label={languageLabel(language)}>
      <h3>{languageLabel(language)}</h3>
      <ol className={styles.diff}>
        {lineDiff(before, after).map(({ kind, text: line }, at) => (
          <li key={at} data-kind={kind}>
            {kind !== 'same' && <span className="pn-hidden">{marks[kind]}: </span>}
            <bdi>{line || '\u00a0'}</bdi>
          </li>
        ))}
      </ol>
    </section>
  )
}
