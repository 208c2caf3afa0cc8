import { maxFlagLength } from '@pennant/contract/submissions.ts'
import { useRef, useState, type FormEvent } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { usePreferences } from '../../state/preferences.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './challenges.module.css'
import { flagToSend, hasOuterBlanks } from './flag-rules.ts'
import type { Challenge } from './list-rules.ts'
import { useSubmission } from './use-submission.ts'
import { words } from './words.ts'

interface FlagBoxProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
}

/** Takes a flag and says at once, in its own place, what became of it. */
export function FlagBox({ challenge, isSolved }: FlagBoxProps) {
  const text = useText(words)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [exactly, setExactly] = useState(false)
  const placeholder = useConfig()?.flagFormatPlaceholder
  const submission = useSubmission(challenge)
  useShortcuts({ f: () => input.current?.focus() }, usePreferences().shortcuts !== false)
  if (isSolved || submission.outcome?.tone === 'ok') {
    return (
      <Solved
        challenge={challenge}
        said={submission.outcome?.text}
        isNew={submission.outcome?.tone === 'ok'}
      />
    )
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await submission.submit(flagToSend(typed, exactly))
    // Kept, so that it can be mended; selected, so that it can be replaced.
    input.current?.select()
  }
  return (
    <Panel>
      <form className={styles.flagForm} onSubmit={(event) => void submit(event)}>
        <TextInput
          mono
          ref={input}
          label={text.flag}
          placeholder={placeholder}
          autoComplete="off"
          enterKeyHint="send"
          maxLength={maxFlagLength}
          readOnly={submission.isSending}
          value={typed}
          onChange={setTyped}
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
          busy={submission.isSending}
          disabledBecause={submission.waitText ?? (typed === '' ? text.empty : undefined)}
        >
          {text.submit}
        </Button>
        <p role="status" className={cx(styles.said, submission.outcome && styles[submission.outcome.tone])}>
          {submission.waitText ?? submission.outcome?.text}
        </p>
      </form>
    </Panel>
  )
}

interface SolvedProps {
  readonly challenge: Challenge
  readonly said: string | undefined
  readonly isNew: boolean
}

function Solved({ challenge, said, isNew }: SolvedProps) {
  const text = useText(words)
  const format = useFormat()
  return (
    <Panel>
      <p role="status" className={styles.solvedLine} ref={isNew ? focusOnce : undefined} tabIndex={-1}>
        <Pennant sign="solved" size={24} hidden raising={isNew} />
        {said ?? text.solvedAlready} {!said && text.points(format.number(challenge.points))}
      </p>
    </Panel>
  )
}

/** The field that had the focus is gone. */
function focusOnce(status: HTMLElement | null): void {
  status?.focus()
}
