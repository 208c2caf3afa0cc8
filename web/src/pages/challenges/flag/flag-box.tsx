import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useConfig } from '../../../api/use-contest.ts'
import { useTimed } from '../../../state/clock.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { invisibleIn, withoutInvisible } from '../../../text/invisible.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Switch } from '../../../ui/fields/choices.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { useShortcuts } from '../../../ui/keys/use-shortcuts.ts'
import { Panel } from '../../../ui/states/panel.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import { flagExample } from '../../../challenge/flag-example.ts'
import styles from './flag.module.css'
import { draftOf, storeDraft } from './flag-memory.ts'
import { flagToSend, hasOuterBlanks } from './flag-rules.ts'
import { FlagStatus } from './flag-status.tsx'
import { SolvedPanel } from './solved-panel.tsx'
import { useSubmission } from './use-submission.ts'

const BUSY_AFTER_MS = 150

interface FlagBoxProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  /** The open challenge to go on with after this one. */
  readonly next: Challenge | null
}

/** Submits a flag and shows the result in place. */
export function FlagBox({ challenge, isSolved, next }: FlagBoxProps) {
  const text = useMessages(challengesMessages)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(() => draftOf(challenge.id))
  const [exactly, setExactly] = useState(false)
  const placeholder = flagExample(useConfig()?.flagFormatPlaceholder)
  const submission = useSubmission(challenge)
  useShortcuts({ f: () => input.current?.focus() })
  const { outcome, tries } = submission
  const isHeld = useTimed((now) => now < tries.waitUntil)
  const isBusy = useSlow(submission.isSending)
  if (isSolved || outcome?.tone === 'ok')
    return <SolvedPanel challenge={challenge} outcome={outcome?.tone === 'ok' ? outcome : null} next={next} />
  const change = (flag: string) => {
    setTyped(flag)
    storeDraft(challenge.id, flag)
  }
  const flag = flagToSend(typed, exactly)
  const removeInvisible = () => {
    change(withoutInvisible(flag))
    submission.clear()
    input.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const sent = await submission.submit(flag)
    // Keep the text for correction, and select it for replacement.
    if (sent === 'wrong') input.current?.select()
  }
  return (
    <Panel>
      <form className={styles.form} data-flag-bar="" onSubmit={(event) => void submit(event)}>
        <TextInput
          mono
          ref={input}
          label={text.flag}
          placeholder={placeholder}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={MAX_FLAG_LENGTH}
          readOnly={submission.isLocked}
          value={typed}
          onChange={change}
        />
        {hasOuterBlanks(typed) && (
          <Switch
            kind="checkbox"
            label={text.submitExactly}
            help={text.flagHelp}
            checked={exactly}
            onChange={setExactly}
          />
        )}
        {invisibleIn(flag).length > 0 && (
          <Button tone="quiet" onClick={removeInvisible}>
            {text.removeInvisible}
          </Button>
        )}
        <Button
          tone="primary"
          type="submit"
          busy={isBusy}
          disabledBecause={isHeld ? text.waitFirst : typed === '' ? text.empty : undefined}
        >
          {text.submit}
        </Button>
        <FlagStatus outcome={outcome} tries={tries} />
      </form>
    </Panel>
  )
}

/** True once the request takes noticeably long, to avoid a flashing indicator. */
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
