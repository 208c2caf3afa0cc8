import { adminChallengesMessages } from '../../text/en/admin-challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { StillProvider } from '../../ui/fields/field.tsx'
import type { Tab } from '../../ui/layers/tabs.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { BotPart } from './bot/bot-part.tsx'
import { DetailsPart } from './details-part.tsx'
import type { CountedChallenge, AdminChallenge } from './draft.ts'
import { FilesPart } from './files/files-part.tsx'
import { FlagsPart } from './flags/flags-part.tsx'
import { InstancePart } from './instance/instance-part.tsx'
import { PreviewPane } from './preview/preview-pane.tsx'
import { TAB_FIELDS, type TabId } from './problems.ts'
import { ScoringPart } from './scoring/scoring-part.tsx'
import { SolvesPart } from './solves-part.tsx'
import type { Editor } from './use-editor.ts'
import styles from './challenges.module.css'

interface TabsOf {
  readonly challenge: CountedChallenge
  readonly editor: Editor
  /** There is room to show the preview next to the editor. */
  readonly hasRoom: boolean
}

/** The tabs of the editor, each marked if it contains errors or changes. */
export function useTabs({ challenge, editor, hasRoom }: TabsOf): Tab[] {
  const text = useMessages(adminChallengesMessages)
  const markOf = (id: TabId): Tab['mark'] => {
    const fields = TAB_FIELDS[id]
    if (fields.some((field) => editor.problems[field])) return { tone: 'error', word: text.hasError }
    const isChanged = fields.some((field) => editor.changed.includes(field))
    return isChanged ? { tone: 'changed', word: text.hasChange } : undefined
  }
  const part = (id: TabId, content: Tab['content']): Tab => ({
    id,
    label: text.tab[id],
    mark: markOf(id),
    content: <StillProvider value={!editor.mayWrite}>{content}</StillProvider>,
  })
  return [
    part('details', <DetailsPart editor={editor} />),
    part('files', <FilesPart editor={editor} />),
    part('flags', <FlagsPart key={editor.round} editor={editor} />),
    part('scoring', <ScoringPart challenge={challenge} editor={editor} />),
    part('instance', <InstancePart key={editor.round} challenge={challenge} editor={editor} />),
    part('bot', <BotPart challenge={challenge} editor={editor} />),
    { id: 'solves', label: text.tab.solves, content: <SolvesPart challenge={challenge} /> },
    { id: 'raw', label: text.tab.raw, content: <RawPart challenge={challenge} /> },
    // With enough room, the preview is next to the editor instead.
    ...(hasRoom
      ? []
      : [{ id: 'preview', label: text.tab.preview, content: <PreviewPane draft={editor.draft} /> }]),
  ]
}

/** The whole stored object, including fields that no form shows. */
function RawPart({ challenge }: { readonly challenge: AdminChallenge }) {
  const text = useMessages(adminChallengesMessages)
  const json = JSON.stringify(challenge, null, 2)
  return (
    <>
      <p>{text.rawAbout}</p>
      <CopyButton text={() => json}>{text.copy}</CopyButton>
      <pre dir="ltr" tabIndex={0} aria-label={text.tab.raw} className={styles.raw}>
        {json}
      </pre>
    </>
  )
}
