import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { Facts } from '../../../challenge/facts.tsx'
import { flagExample } from '../../../challenge/flag-example.ts'
import { Statement } from '../../../challenge/statement.tsx'
import { useConfig } from '../../../api/use-contest.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import type { Draft } from '../draft.ts'
import styles from './preview.module.css'

interface ChallengePreviewProps {
  readonly draft: Draft
  readonly width: 'phone' | 'desktop'
}

/** Shows a draft as participants would see it before the first solve. */
export function ChallengePreview({ draft, width }: ChallengePreviewProps) {
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
