import { maxFlagLength } from '@pennant/contract/submissions.ts'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './flag.module.css'
import { draftOf, keepDraft } from './flag-drafts.ts'
import { flagToSend, hasOuterBlanks } from './flag-rules.ts'
import type { Challenge } from '../../challenge/challenge.ts'
import { FlagStatus } from './flag-status.tsx'
import { useSubmission, type Outcome } from './use-submission.ts'
import { words } from '../../challenge/words.ts'

const BUSY_AFTER_MS = 150
const SIGNS = ['solved', ...BLOODS] as const

interface FlagBoxProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
}

/** Takes a flag and says at once, in its own place, what became of it. */
export function FlagBox({ challenge, isSolved }: FlagBoxProps) {
  const text = useText(words)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(() => draftOf(challenge.id))
  const [exactly, setExactly] = useState(false)
  const placeholder = useConfig()?.flagFormatPlaceholder
  const submission = useSubmission(challenge)
  useShortcuts({ f: () => input.current?.focus() })
  const { outcome, tries } = submission
  const isHeld = useTimed((now) => now < tries.waitUntil)
  const isBusy = useSlow(submission.isSending)
  if (isSolved || outcome?.tone === 'ok')
    return <Solved challenge={challenge} outcome={outcome?.tone === 'ok' ? outcome : null} />
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const sent = await submission.submit(flagToSend(typed, exactly))
    // Kept, so that it can be mended; selected, so that it can be replaced.
    if (sent === 'wrong') input.current?.select()
  }
  return (
    <Panel>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <TextInput
          mono
          ref={input}
          label={text.flag}
          placeholder={placeholder}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={maxFlagLength}
          readOnly={submission.isLocked}
          value={typed}
          onChange={(flag) => {
            setTyped(flag)
            keepDraft(challenge.id, flag)
          }}
        />
        {hasOuterBlanks(typed) && (
          <Switch
            kind="checkbox"
            label={text.exactly}
            help={text.flagHelp}
            checked={exactly}
            onChange={setExactly}
          />
        )}
        <Button
          tone="primary"
          type="submit"
          busy={isBusy}
          disabledBecause={isHeld ? text.held : typed === '' ? text.empty : undefined}
        >
          {text.submit}
        </Button>
        <FlagStatus outcome={outcome} tries={tries} />
      </form>
    </Panel>
  )
}

/** True only once something takes longer than a blink. */
function useSlow(isWorking: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWorking) return
    const timer = setTimeout(() => setSlow(true), BUSY_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isWorking])
  return isSlow
}

interface SolvedProps {
  readonly challenge: Challenge
  /** Of the flag that was sent from here. */
  readonly outcome: Outcome | null
}

function Solved({ challenge, outcome }: SolvedProps) {
  const text = useText(words)
  const format = useFormat()
  const sign = SIGNS[outcome?.blood ?? 0] ?? 'solved'
  const isNew = outcome !== null
  return (
    <Panel>
      <p role="status" className={styles.solved} ref={isNew ? focusOnce : undefined} tabIndex={-1}>
        <Pennant sign={sign} size={24} hidden raising={isNew} />
        {outcome?.text ?? `${text.solvedAlready} ${text.points(format.number(challenge.points))}`}
      </p>
    </Panel>
  )
}

/** The field that had the focus is gone. */
function focusOnce(status: HTMLElement | null): void {
  status?.focus()
}
