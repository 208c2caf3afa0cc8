import { Link, useLocation } from 'react-router'
import { useOwnTeam, usePhase, useConfig } from '../../../api/use-contest.ts'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Pennant } from '../../../ui/marks/pennant.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import styles from './flag.module.css'
import type { Challenge } from '../../../challenge/challenge.ts'
import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTimed, serverNow } from '../../../state/clock.ts'
import { invisibleIn, withoutInvisible } from '../../../text/invisible.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Switch } from '../../../ui/fields/choices.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { useShortcuts } from '../../../ui/keys/use-shortcuts.ts'
import { flagExample } from '../../../challenge/flag-example.ts'
import { draftOf, storeDraft } from './flag-memory.ts'
import { flagToSend, hasOuterBlanks } from './flag-rules.ts'
import { SolvedPanel } from './solved-panel.tsx'
import { useSubmission, type Outcome } from './use-submission.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { cx } from '../../../ui/cx.ts'
import { maxTries, triesLeft, type Tries } from './tries.ts'

interface FlagAreaProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  /** The open challenge to go on with after this one. */
  readonly next: Challenge | null
}

/** The flag form, or the reason why no flag can be submitted. */
export function FlagArea({ challenge, isSolved, next }: FlagAreaProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const { pathname, search } = useLocation()
  const { isSignedIn, team } = useOwnTeam()
  const reason = useReason()
  if (!challenge.hasFlag) {
    const live = team?.dynamicScores.find(({ id }) => id === challenge.id)
    return (
      <Panel className={styles.words}>
        <p>{live ? text.live(format.number(live.points), format.signed(live.pointDelta)) : text.liveOnly}</p>
      </Panel>
    )
  }
  // Keep the box after the team's own correct flag, because it shows the result.
  if (isSignedIn && reason === null) return <FlagBox {...{ challenge, isSolved, next }} />
  return (
    <Panel className={styles.words}>
      {isSolved && (
        <p className={styles.solved}>
          <Pennant sign="solved" hidden /> {text.solvedAlready}
        </p>
      )}
      <p>{reason ?? <Link to={paths.signIn(pathname + search)}>{text.signIn}</Link>}</p>
    </Panel>
  )
}

/** Why no flag can be submitted now, by anybody or by this team. */
function useReason(): string | null {
  const text = useMessages(challengesMessages)
  const phase = usePhase()
  const { team } = useOwnTeam()
  if (phase === 'archived') return text.archived
  if (phase === 'ended') return text.isOver
  return team?.banned ? text.banned : null
}

const BUSY_AFTER_MS = 150

interface FlagBoxProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  /** The open challenge to go on with after this one. */
  readonly next: Challenge | null
}

/** Submits a flag and shows the result in place. */
function FlagBox({ challenge, isSolved, next }: FlagBoxProps) {
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

const TENTH_MS = 100

interface FlagStatusProps {
  readonly outcome: Outcome | null
  readonly tries: Tries
}

/** One line below the box: the result of the last flag and the attempts left. */
function FlagStatus({ outcome, tries }: FlagStatusProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const isHeld = useTimed((now) => now < tries.waitUntil)
  const left = useTimed((now) => triesLeft(tries, now))
  const wasHeld = tries.waitUntil > 0 && outcome === null
  const wholeSeconds = format.number(Math.ceil(tries.waitMs / SECOND_MS))
  return (
    <div className={styles.status}>
      <p role="status" className={cx(styles.said, isHeld ? 'pn-warn' : outcome && styles[outcome.tone])}>
        {/* Announced once; the countdown next to it is visual only. */}
        {isHeld && (
          <>
            {text.tooManyAttempts} <span className="pn-hidden">{text.wait(wholeSeconds)}</span>
          </>
        )}
        {!isHeld && (outcome?.text ?? (wasHeld && text.canRetry))}
      </p>
      {isHeld ? <Hold tries={tries} /> : left < maxTries && <Pips left={left} />}
    </div>
  )
}

/** Attempts left; one is restored every five seconds. */
function Pips({ left }: { readonly left: number }) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  return (
    <span
      role="img"
      className={styles.pips}
      aria-label={text.triesLeft(left, format.number(left))}
      title={text.triesLeft(left, format.number(left))}
    >
      {Array.from({ length: maxTries }, (_, at) => (
        <span key={at} className={styles.pip} data-full={at < left || undefined} />
      ))}
    </span>
  )
}

/** Time until the next attempt in tenths of a second, with a shrinking bar. */
function Hold({ tries: { waitUntil, waitMs } }: { readonly tries: Tries }) {
  const text = useMessages(challengesMessages)
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), TENTH_MS)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Math.max(0, waitUntil - now)
  return (
    <span aria-hidden="true" className={styles.hold}>
      {text.wait((leftMs / SECOND_MS).toFixed(1))}
      <progress className={styles.drain} max={waitMs} value={Math.min(leftMs, waitMs)} />
    </span>
  )
}
