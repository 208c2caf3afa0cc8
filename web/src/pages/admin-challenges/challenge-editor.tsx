import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMay } from '../../api/use-contest.ts'
import { LeaveGuard } from '../../layout/leave-guard.tsx'
import { adminChallengesMessages } from '../../text/en/admin-challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { useMedia } from '../../ui/use-media.ts'
import { setTitlePrefix } from '../../layout/title.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { Tabs } from '../../ui/layers/tabs.tsx'
import styles from './challenges.module.css'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Actions } from './actions.tsx'
import type { CountedChallenge } from './draft.ts'
import { PreviewPane } from './preview/preview-pane.tsx'
import { SaveBar } from './save-bar.tsx'
import { useEditor } from './use-editor.ts'
import { useTabs } from './use-tabs.tsx'

interface ChallengeEditorProps {
  readonly challenge: CountedChallenge
}

/** Editor for one challenge: one draft, one Save button. */
export function ChallengeEditor({ challenge }: ChallengeEditorProps) {
  const text = useMessages(adminChallengesMessages)
  const mayWrite = useMay('challsRead', 'challsWrite')
  const editor = useEditor(challenge, mayWrite)
  const [search, setSearch] = useSearchParams()
  const { draft, isDirty } = editor
  useEffect(() => {
    setTitlePrefix('editor', isDirty ? '•' : null)
    return () => setTitlePrefix('editor', null)
  }, [isDirty])
  useShortcuts({ 'Ctrl+s': () => mayWrite && void editor.save() })
  const hasRoom = useMedia('(min-width: 1440px)')
  const [isPreviewed, setPreviewed] = useState(true)
  const tabs = useTabs({ challenge, editor, hasRoom })
  const show = (id: string) =>
    setSearch(id === 'details' ? {} : { tab: id }, { replace: true, preventScrollReset: true })
  return (
    <article className={styles.editor}>
      <header className={styles.head}>
        <h2 className={styles.name}>
          <bdi>{draft.name === '' ? challenge.id : draft.name}</bdi>
        </h2>
        <code>{challenge.id}</code>
        {mayWrite ? (
          <Actions challenge={challenge} isDirty={isDirty} onDeleted={editor.revert} />
        ) : (
          <p>{text.readOnly}</p>
        )}
      </header>
      {mayWrite && <Offered editor={editor} />}
      <div className={cx(hasRoom && isPreviewed && styles.beside)}>
        <div className={styles.part}>
          <Tabs label={text.tabs} tabs={tabs} value={search.get('tab') ?? 'details'} onChange={show} />
        </div>
        {hasRoom && (
          <div className={styles.previewed}>
            <Button
              tone="quiet"
              icon="eye"
              aria-pressed={isPreviewed}
              onClick={() => setPreviewed(!isPreviewed)}
            >
              {text.showPreview}
            </Button>
            {isPreviewed && <PreviewPane draft={editor.draft} />}
          </div>
        )}
      </div>
      {mayWrite && <SaveBar editor={editor} />}
      <LeaveGuard isDirty={isDirty || editor.isSending} />
      {editor.conflicts && (
        <ConflictDialog
          conflicts={editor.conflicts}
          onResolve={editor.resolve}
          onClose={editor.cancelResolve}
        />
      )}
    </article>
  )
}

/** Offers to restore unsaved changes from an earlier visit. */
function Offered({ editor: { offered, takeOffered } }: { readonly editor: ReturnType<typeof useEditor> }) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  if (!offered) return null
  return (
    <div role="status" className={styles.offered}>
      <span>{text.draftFound(format.dateTime(offered.at))}</span>
      <Button onClick={() => takeOffered(true)}>{text.restoreDraft}</Button>
      <Button tone="quiet" onClick={() => takeOffered(false)}>
        {text.discardDraft}
      </Button>
    </div>
  )
}
