import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConfig, useMay, usePhase } from '../../../api/use-contest.ts'
import { readStored, writeStored } from '../../../state/storage.ts'
import { setupMessages } from '../../../text/en/setup.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/states/panel.tsx'
import { setChallengesQuery } from '../queries.ts'
import { ChallengeForm } from './challenge-form.tsx'
import { AboutForm, TimesForm } from './event-forms.tsx'
import styles from './setup.module.css'
import { doneSteps, STEPS, type Step } from './steps.ts'

/** In this browser: `begun` after it has shown an open step. The card of a complete server appears only then. */
const STORED = 'pennant.setup'

/** The four steps from a new server to an event that players can join. */
export function SetupCard() {
  const text = useMessages(setupMessages)
  const event = useConfig()
  const phase = usePhase()
  const maySetUp = useMay('challsRead', 'challsWrite', 'settingsWrite')
  const { data: challenges } = useQuery({ ...setChallengesQuery, enabled: maySetUp })
  const [stored, setStored] = useState(() => readStored(STORED))
  const done = event && challenges ? doneSteps({ event, challenges }) : null
  const isComplete = done?.size === STEPS.length
  const isOpen = maySetUp && phase === 'before' && done !== null && !isComplete
  useEffect(() => {
    if (!isOpen) return
    writeStored(STORED, 'begun')
    setStored('begun')
  }, [isOpen])
  if (!event || !challenges || !done || !maySetUp || phase !== 'before') return null
  if (isComplete && stored !== 'begun') return null
  const dismiss = () => {
    writeStored(STORED, null)
    setStored(null)
  }
  const current = STEPS.find((step) => !done.has(step))
  const forms = {
    about: <AboutForm event={event} />,
    times: <TimesForm />,
    challenge: <ChallengeForm challenges={challenges} />,
    registration: <p>{text.registrationClosed}</p>,
  }
  return (
    <Panel
      title={text.title}
      actions={isComplete && <Button onClick={dismiss}>{text.dismiss}</Button>}
      className={styles.card}
    >
      <p className={styles.lead}>{isComplete ? text.complete : text.lead(done.size, STEPS.length)}</p>
      <ol className={styles.steps}>
        {STEPS.map((step) => (
          <li key={step} className={cx(done.has(step) && styles.done)}>
            {done.has(step) ? (
              <Head step={step} isDone />
            ) : (
              <details open={step === current}>
                <summary>
                  <Head step={step} />
                </summary>
                {forms[step]}
              </details>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Head({ step, isDone = false }: { readonly step: Step; readonly isDone?: boolean }) {
  const text = useMessages(setupMessages)
  return (
    <span className={styles.head}>
      <span className={styles.mark}>{isDone ? <Icon name="check" /> : STEPS.indexOf(step) + 1}</span>
      <b>{text.steps[step]}</b>
      {isDone && <span className="pn-muted pn-small">{text.done}</span>}
    </span>
  )
}
