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
import { SectionIndex } from './section-index.tsx'
import { FormSection, useSections } from './sections.tsx'
import { useEditor, type Editor } from './use-editor.ts'
import { useSectionJumps } from './use-section-jumps.ts'
import { ConfirmButton } from '../../../ui/layers/confirm.tsx'

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

/** Bar at the bottom of the editor: unsaved changes, what the last save ran into, and Save. */
function SaveBar({ editor }: { readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const bar = useRef<HTMLDivElement>(null)
  useRoomBelow(bar)
  const { isDirty, isSaving, revert, outcome, confirmed } = editor
  const canSave = isDirty || outcome?.kind === 'gone'
  return (
    <div ref={bar} className={styles.saveBar}>
      <Said editor={editor} />
      {isDirty && <ConfirmButton onConfirm={revert}>{text.discardChanges}</ConfirmButton>}
      <Button
        tone="primary"
        busy={isSaving}
        success={confirmed}
        disabledBecause={canSave ? undefined : text.nothingToSave}
        type="submit"
        title="Ctrl+S"
      >
        {text.save}
      </Button>
    </div>
  )
}

/** Reports the height of the bar to the page, which then scrolls focused fields clear of it. */
function useRoomBelow(bar: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!bar.current) return
    const { style } = document.documentElement
    const measure = ([entry]: readonly ResizeObserverEntry[]) =>
      style.setProperty('--pn-save-bar', `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`)
    const observer = new ResizeObserver(measure)
    observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--pn-save-bar')
    }
  }, [bar])
}

function Said({ editor: { changed, outcome } }: { readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const alongside = () => {
    if (outcome?.kind !== 'saved' || outcome.taken.length === 0) return null
    return text.alsoChanged(format.list(outcome.taken.map((field) => text.fields[field])))
  }
  const isBad = outcome?.kind === 'failed' || outcome?.kind === 'gone'
  return (
    <div className={styles.said}>
      <span role="status">
        {changed.length > 0 ? text.unsaved(changed.length) : alongside()}
        {changed.length > 0 && (
          <span className={styles.small}> {format.list(changed.map((field) => text.fields[field]))}</span>
        )}
      </span>
      {changed.length > 0 && !isBad && <span className={styles.kept}>{text.draftKept}</span>}
      {isBad && (
        <span role="alert" className="pn-bad">
          {outcome.kind === 'gone' ? text.deletedByOther : outcome.why}
        </span>
      )}
    </div>
  )
}
