import { useEffect, useRef, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Confirm, ConfirmButton } from '../../ui/layers/confirm.tsx'
import { valuesOf, type Change } from './draft.ts'
import styles from './settings.module.css'
import { useConsequence, type Consequence } from './use-consequence.ts'
import { useInWords } from './use-in-words.ts'
import type { SettingsForm } from './use-settings.ts'
import { words } from './words.ts'

/** What will be saved, and the button for it. Times that cross now are asked about. */
export function SaveBar({ form }: { readonly form: SettingsForm }) {
  const text = useText(words)
  const consequence = useConsequence()
  const [asked, setAsked] = useState<Consequence | null>(null)
  const { changes, said, busy } = form
  const press = () => {
    if (busy || changes.length === 0) return
    if (!form.check()) return showFirstError()
    const what = consequence(valuesOf(form.saved), form.values)
    if (what) setAsked(what)
    else void form.save().then(showFirstError)
  }
  useSaveKey(press)
  const confirm = () => {
    setAsked(null)
    void form.save().then(showFirstError)
  }
  return (
    <div className={styles.bar} data-open={changes.length > 0 || undefined}>
      <div role="status">{said.done}</div>
      <FailureLine>{said.failure}</FailureLine>
      {changes.length > 0 && (
        <>
          <ChangeList changes={changes} />
          <div className={styles.actions}>
            <Button tone="primary" busy={busy} onClick={press}>
              {text.save(changes.length)}
            </Button>
            <ConfirmButton onConfirm={form.discard}>{text.discard}</ConfirmButton>
          </div>
        </>
      )}
      {asked && (
        <Confirm
          open
          onClose={() => setAsked(null)}
          onConfirm={confirm}
          title={text.crossTitle[asked.word]}
          deed={text.crossDeed[asked.word]}
          word={asked.word}
        >
          <p>{asked.text}</p>
        </Confirm>
      )}
    </div>
  )
}

function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  const text = useText(words)
  const inWords = useInWords()
  return (
    <ul aria-label={text.changes} className={styles.changes}>
      {changes.map(({ key, from, to, isReset }) => (
        <li key={key}>
          <b>{text.names[key]}</b> {text.fromTo(inWords(from), inWords(to), isReset)}
        </li>
      ))}
    </ul>
  )
}

/** Once the errors are drawn. */
function showFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus())
}

/** Ctrl+S, also while typing. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
