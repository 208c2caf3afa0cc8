import type { ReactNode } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { StillProvider } from '../../../ui/fields/field.tsx'
import { BotPart } from '../bot/bot-part.tsx'
import styles from '../challenges.module.css'
import { DetailsPart } from './details-part.tsx'
import type { AdminChallenge, CountedChallenge } from '../draft.ts'
import { FilesPart } from '../files/files-part.tsx'
import { FlagsPart } from '../flags/flags-part.tsx'
import { HintsPart } from '../hints/hints-part.tsx'
import { InstancePart } from '../instance/instance-part.tsx'
import { PreviewPane } from '../preview/preview-pane.tsx'
import { SECTION_FIELDS, type SectionId } from './problems.ts'
import { ScoringPart } from '../scoring/scoring-part.tsx'
import type { IndexEntry } from './section-index.tsx'
import { SolvesPart } from '../solves/solves-part.tsx'
import type { Editor } from './use-editor.ts'
import { WhenNear } from './when-near.tsx'

export interface EditorSection extends IndexEntry {
  readonly content: ReactNode
}

interface SectionsProps {
  readonly challenge: CountedChallenge
  readonly editor: Editor
  /** There is room to show the preview next to the form. */
  readonly hasRoom: boolean
}

/** The sections of the form in their order, each marked if it contains errors or changes. */
export function useSections({ challenge, editor, hasRoom }: SectionsProps): EditorSection[] {
  const text = useMessages(adminChallengesMessages)
  const markOf = (id: SectionId): IndexEntry['mark'] => {
    const fields = SECTION_FIELDS[id]
    if (fields.some((field) => editor.problems[field])) return { tone: 'error', word: text.hasError }
    const isChanged = fields.some((field) => editor.changed.includes(field))
    return isChanged ? { tone: 'changed', word: text.hasChange } : undefined
  }
  const fieldsOf = (id: SectionId, content: ReactNode): EditorSection => ({
    id,
    label: text.tab[id],
    mark: markOf(id),
    content: <StillProvider value={!editor.mayWrite}>{content}</StillProvider>,
  })
  const later = (id: 'solves' | 'raw' | 'preview', content: ReactNode): EditorSection => ({
    id,
    label: text.tab[id],
    content: <WhenNear>{content}</WhenNear>,
  })
  const { round } = editor
  return [
    fieldsOf('details', <DetailsPart id={challenge.id} editor={editor} />),
    fieldsOf('flags', <FlagsPart key={round} id={challenge.id} editor={editor} />),
    fieldsOf('scoring', <ScoringPart challenge={challenge} editor={editor} />),
    fieldsOf('files', <FilesPart editor={editor} />),
    fieldsOf(
      'instance',
      <WhenNear key={round}>
        <InstancePart challenge={challenge} editor={editor} />
      </WhenNear>,
    ),
    fieldsOf(
      'bot',
      <WhenNear>
        <BotPart challenge={challenge} editor={editor} />
      </WhenNear>,
    ),
    // At once, so that it does not push down what has the focus below it.
    { id: 'hints', label: text.tab.hints, content: <HintsPart id={challenge.id} /> },
    // With enough room, the preview is next to the form instead.
    ...(hasRoom ? [] : [later('preview', <PreviewPane draft={editor.draft} />)]),
    later('solves', <SolvesPart challenge={challenge} />),
    later('raw', <RawPart challenge={challenge} />),
  ]
}

/**
 * One section of the form under its heading, which takes the focus after a jump. It is no landmark, because the
 * preview has landmarks of the same names.
 */
export function FormSection({ section: { id, label, content } }: { readonly section: EditorSection }) {
  return (
    <div role="group" data-section={id} aria-labelledby={`section-${id}`} className={styles.section}>
      <h3 id={`section-${id}`} tabIndex={-1} className={styles.sectionTitle}>
        {label}
      </h3>
      {content}
    </div>
  )
}

/** The whole stored object, including fields that no form shows. */
function RawPart({ challenge }: { readonly challenge: AdminChallenge }) {
  const text = useMessages(adminChallengesMessages)
  const json = JSON.stringify(challenge, null, 2)
  return (
    <details>
      <summary>{text.rawAbout}</summary>
      <CopyButton text={() => json}>{text.copy}</CopyButton>
      <pre dir="ltr" tabIndex={0} aria-label={text.tab.raw} className={styles.raw}>
        {json}
      </pre>
    </details>
  )
}
