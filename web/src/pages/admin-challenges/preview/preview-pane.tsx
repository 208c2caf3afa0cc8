import { useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages, useFormat } from '../../../text/messages.ts'
import { Radio } from '../../../ui/fields/choices.tsx'
import type { Draft } from '../draft.ts'
import styles from './preview.module.css'
import { Link } from 'react-router'
import { useConfig } from '../../../api/use-contest.ts'
import { flagExample } from '../../../challenge/flag-example.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import { findingsOf } from './readiness.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { Facts } from '../../../challenge/facts.tsx'
import { Statement } from '../../../challenge/statement.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'

const WIDTHS = ['phone', 'desktop'] as const

/** The preview, at phone width or at full width. */
export function PreviewPane({ draft }: { readonly draft: Draft }) {
  const text = useMessages(adminChallengesMessages)
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('desktop')
  return (
    <div className={styles.pane}>
      <Radio
        look="segments"
        label={text.previewWidth}
        value={width}
        onChange={(chosen) => setWidth(WIDTHS.find((each) => each === chosen) ?? 'desktop')}
        choices={WIDTHS.map((value) => ({ value, label: text.previewWidths[value] }))}
      />
      <ReadinessList draft={draft} />
      {draft.scoring.kind === 'decay' && <p className="pn-fine pn-flat pn-muted">{text.preview.points}</p>}
      <ChallengePreview draft={draft} width={width} />
    </div>
  )
}

/** What the challenge still lacks before players see it, with links to the sections. */
function ReadinessList({ draft }: { readonly draft: Draft }) {
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

interface ChallengePreviewProps {
  readonly draft: Draft
  readonly width: 'phone' | 'desktop'
}

/** Shows a draft as participants would see it before the first solve. */
function ChallengePreview({ draft, width }: ChallengePreviewProps) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const { points, scoring, instancerConfig, adminBotCode } = draft
  const minutes = Math.round((instancerConfig?.timeoutMilliseconds ?? 0) / MINUTE_MS)
  return (
    <article className={styles.preview} data-width={width} aria-label={text.tab.preview}>
      <div className={styles.main}>
        <Facts
          challenge={{
            ...draft,
            points: points.max || 0,
            scoringKind: scoring.kind === 'dynamic' ? 'dynamic' : 'decay',
          }}
        />
        <Statement description={draft.description} files={draft.files} />
      </div>
      <aside className={styles.side}>
        <Panel>
          <FlagBox draft={draft} />
        </Panel>
        {instancerConfig && <Panel>{text.preview.instance(format.number(minutes))}</Panel>}
        {adminBotCode !== null && <Panel>{text.preview.bot}</Panel>}
      </aside>
    </article>
  )
}

/** As on the challenge page: no input if the challenge takes no flag. */
function FlagBox({ draft: { flags, scoring } }: Pick<ChallengePreviewProps, 'draft'>) {
  const text = useMessages(adminChallengesMessages)
  const placeholder = flagExample(useConfig()?.flagFormatPlaceholder)
  if (scoring.kind === 'dynamic') return <p>{text.preview.live}</p>
  if (flags.length === 0) return <p>{text.preview.noFlag}</p>
  return (
    <TextInput
      mono
      readOnly
      label={text.preview.flag}
      placeholder={placeholder}
      value=""
      onChange={() => {}}
    />
  )
}
