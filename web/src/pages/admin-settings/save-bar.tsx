import { useEffect, useRef, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Confirm, ConfirmButton } from '../../ui/layers/confirm.tsx'
import { valuesOf, type Change } from './draft.ts'
import styles from './settings.module.css'
import { useConsequence, type Consequence } from './use-consequence.ts'
import { useFormatSetting } from './use-format-setting.ts'
import type { SettingsForm } from './use-settings.ts'

/** The pending changes and the save button. Asks first if the new times change the current phase. */
export function SaveBar({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const consequence = useConsequence()
  const [asked, setAsked] = useState<Consequence | null>(null)
  const { changes, failure, confirmed, busy } = form
  const isPending = changes.length > 0
  const save = () => {
    if (busy || !isPending) return
    if (!form.check()) return showFirstError()
    const what = consequence(valuesOf(form.saved), form.values)
    if (what) setAsked(what)
    else void form.save().then(showFirstError)
  }
  useSaveKey(save)
  const confirm = () => {
    setAsked(null)
    void form.save().then(showFirstError)
  }
  return (
    <div className={styles.bar} data-open={isPending || confirmed.isShown || undefined}>
      <FailureLine>{failure}</FailureLine>
      {isPending && <ChangeList changes={changes} />}
      <div className={styles.actions}>
        <Button
          tone="primary"
          busy={busy}
          success={confirmed}
          disabledBecause={isPending ? undefined : text.nothingToSave}
          onClick={save}
        >
          {text.save}
        </Button>
        {isPending && <ConfirmButton onConfirm={form.discard}>{text.discard}</ConfirmButton>}
      </div>
      {asked && (
        <Confirm
          open
          onClose={() => setAsked(null)}
          onConfirm={confirm}
          title={text.confirmTitle[asked.word]}
          action={text.phaseChangeLabel[asked.word]}
          word={asked.word}
        >
          <p>{asked.text}</p>
        </Confirm>
      )}
    </div>
  )
}

function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  const text = useMessages(adminSettingsMessages)
  const formatSetting = useFormatSetting()
  return (
    <ul aria-label={text.changes} className={styles.changes}>
      {changes.map(({ key, from, to, isReset }) => (
        <li key={key}>
          <b>{text.names[key]}</b> {text.fromTo(formatSetting(from), formatSetting(to), isReset)}
        </li>
      ))}
    </ul>
  )
}

/** Runs after the errors are rendered. */
function showFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus())
}

/** Ctrl+S, which also works while typing. */
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
