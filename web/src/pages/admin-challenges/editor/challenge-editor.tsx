import { useDeferredValue, useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useMay } from '../../../api/use-contest.ts'
import { LeaveGuard } from '../../../layout/leaving/leave-guard.tsx'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { setTitlePrefix } from '../../../layout/title.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { useShortcuts } from '../../../ui/keys/use-shortcuts.ts'
import styles from '../challenges.module.css'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Actions } from './actions.tsx'
import type { CountedChallenge } from '../draft.ts'
import { PreviewPane } from '../preview/preview-pane.tsx'
import { SECTION_FIELDS } from './problems.ts'
import { SaveBar } from './save-bar.tsx'
import { SectionIndex } from './section-index.tsx'
import { FormSection, useSections } from './sections.tsx'
import { useEditor, type Editor } from './use-editor.ts'
import { useSectionJumps } from './use-section-jumps.ts'

interface ChallengeEditorProps {
  readonly challenge: CountedChallenge
}

/** Editor for one challenge: one form, one draft, one Save button. */
export function ChallengeEditor({ challenge }: ChallengeEditorProps) {
  const mayWrite = useMay('challsRead', 'challsWrite')
  const editor = useEditor(challenge, mayWrite)
  const { isDirty } = editor
  useEffect(() => {
    setTitlePrefix('editor', isDirty ? '•' : null)
    return () => setTitlePrefix('editor', null)
  }, [isDirty])
  useShortcuts({ 'Ctrl+s': () => mayWrite && void editor.save() })
  const hasRoom = useMedia('(min-width: 1280px)')
  const [isPreviewed, setPreviewed] = useState(true)
  return (
    <article className={cx(styles.editor, hasRoom && isPreviewed && styles.beside)}>
      <div className={styles.part}>
        <Head challenge={challenge} editor={editor} />
        {mayWrite && <Offered editor={editor} />}
        <EditorForm challenge={challenge} editor={editor} hasRoom={hasRoom} />
      </div>
      {hasRoom && (
        <Previewed editor={editor} isShown={isPreviewed} onToggle={() => setPreviewed(!isPreviewed)} />
      )}
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

interface PartProps extends ChallengeEditorProps {
  readonly editor: Editor
}

function Head({ challenge, editor: { draft, mayWrite, isDirty, revert } }: PartProps) {
  const text = useMessages(adminChallengesMessages)
  return (
    <header className={styles.head}>
      <h2 className="pn-flat">
        <bdi>{draft.name === '' ? challenge.id : draft.name}</bdi>
      </h2>
      <code>{challenge.id}</code>
      {mayWrite ? (
        <Actions challenge={challenge} isDirty={isDirty} onDeleted={revert} />
      ) : (
        <p>{text.readOnly}</p>
      )}
    </header>
  )
}

function EditorForm({ challenge, editor, hasRoom }: PartProps & { readonly hasRoom: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  const sections = useSections({ challenge, editor, hasRoom })
  const current = useSectionJumps(form)
  useFocusOnProblem(form, editor)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (editor.mayWrite) void editor.save()
  }
  return (
    <form ref={form} noValidate className={styles.form} onSubmit={submit}>
      <SectionIndex entries={sections} current={current} />
      {sections.map((section) => (
        <FormSection key={section.id} section={section} />
      ))}
      {editor.mayWrite && <SaveBar editor={editor} />}
    </form>
  )
}

/** After a failed save, focuses the first invalid field, or the heading of its section. */
function useFocusOnProblem(form: RefObject<HTMLElement | null>, { outcome, problems }: Editor) {
  const latest = useRef(problems)
  useEffect(() => {
    latest.current = problems
  })
  useEffect(() => {
    if (outcome?.kind !== 'failed') return
    const wrong = Object.keys(latest.current)
    const section = Object.entries(SECTION_FIELDS).find(([, fields]) =>
      fields.some((field) => wrong.includes(field)),
    )?.[0]
    const place = section && form.current?.querySelector(`[data-section="${section}"]`)
    if (!place) return
    const target = place.querySelector<HTMLElement>('[aria-invalid="true"]') ?? place.querySelector('h3')
    target?.focus()
  }, [form, outcome])
}

interface PreviewedProps {
  readonly editor: Editor
  readonly isShown: boolean
  readonly onToggle: () => void
}

/** The preview next to the form. It follows the typing without delaying it. */
function Previewed({ editor, isShown, onToggle }: PreviewedProps) {
  const text = useMessages(adminChallengesMessages)
  const draft = useDeferredValue(editor.draft)
  return (
    <div className={styles.previewed}>
      <Button tone="quiet" icon="eye" aria-pressed={isShown} onClick={onToggle}>
        {text.showPreview}
      </Button>
      {isShown && <PreviewPane draft={draft} />}
    </div>
  )
}

/** Offers to restore unsaved changes from an earlier visit. */
function Offered({ editor: { offered, takeOffered } }: { readonly editor: Editor }) {
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
