import { useText } from '../../text/catalogue.ts'
import { StillProvider } from '../../ui/fields/field.tsx'
import type { Tab } from '../../ui/layers/tabs.tsx'
import { BotPart } from './bot/bot-part.tsx'
import { DetailsPart } from './details-part.tsx'
import type { CountedChallenge } from './draft.ts'
import { FilesPart } from './files/files-part.tsx'
import { FlagsPart } from './flags/flags-part.tsx'
import { InstancePart } from './instance/instance-part.tsx'
import { PreviewPane } from './preview/preview-pane.tsx'
import { TAB_FIELDS, type TabId } from './problems.ts'
import { RawPart } from './raw-part.tsx'
import { ScoringPart } from './scoring/scoring-part.tsx'
import { SolvesPart } from './solves-part.tsx'
import type { Editor } from './use-editor.ts'
import { words } from './words.ts'

interface TabsOf {
  readonly challenge: CountedChallenge
  readonly editor: Editor
  /** The preview stands beside it. */
  readonly hasRoom: boolean
}

/** The parts of the editor, each with a mark for what is wrong or changed in it. */
export function useTabs({ challenge, editor, hasRoom }: TabsOf): Tab[] {
  const text = useText(words)
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
    // Beside the editor where there is room.
    ...(hasRoom
      ? []
      : [{ id: 'preview', label: text.tab.preview, content: <PreviewPane draft={editor.draft} /> }]),
  ]
}
