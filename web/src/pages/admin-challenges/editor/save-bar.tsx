import { useEffect, useRef, type RefObject } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ConfirmButton } from '../../../ui/layers/confirm.tsx'
import styles from '../challenges.module.css'
import type { Editor } from './use-editor.ts'

/** Bar at the bottom of the editor: unsaved changes, what the last save ran into, and Save. */
export function SaveBar({ editor }: { readonly editor: Editor }) {
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
