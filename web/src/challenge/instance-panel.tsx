import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { Fragment, useRef, useEffect, type FocusEvent } from 'react'
import { useTimed } from '../state/clock.ts'
import { livePartsMessages } from '../text/en/live-parts.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ConfirmButton } from '../ui/layers/confirm.tsx'
import { Panel } from '../ui/states/panel.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'
import { setTitlePrefix } from '../layout/title.ts'
import { clockText } from '../ui/data/durations.ts'
import { TimeLeft } from '../ui/data/countdown.tsx'
import { EndpointRow } from './endpoint-row.tsx'
import type { Challenge } from './challenge.ts'
import styles from './live.module.css'
import { useEndWarning } from './use-end-warning.ts'
import { useInstance, remainingMs, type SeenInstance } from './use-instance.ts'
import { SOON_MS } from './instance-warning.ts'

const NOW_MS = 60 * SECOND_MS

/** After this time a start is shown as slow. */
const SLOW_AFTER_S = 60

type InstancePanelProps = {
  readonly challenge: Pick<Challenge, 'id' | 'name' | 'instancerLifetime' | 'instancerExtendable'>
}

/** Starts, shows, extends and stops the team's own instance. */
export function InstancePanel({ challenge }: InstancePanelProps) {
  const text = useMessages(livePartsMessages)
  const instance = useInstance(challenge.id)
  const { state, failure, problem, gates } = instance
  const lifeMs = challenge.instancerLifetime ?? 0
  const { place, watch } = useKeptFocus()
  const panel = useEndWarning(challenge, state)
  return (
    <Panel title={text.instance} level={3}>
      <div ref={panel} {...watch}>
        {!state && failure === null && <Skeleton rows={2} />}
        <div role="status" ref={place} tabIndex={-1} className={styles.said}>
          {state && <State {...state} lifeMs={lifeMs} />}
          {(problem ?? (state ? null : failure)) !== null && <p className="pn-bad">{problem ?? failure}</p>}
        </div>
        {state?.status === 'starting' && <SinceStart />}
        {state?.status === 'running' ? (
          <Running challenge={challenge} instance={instance} state={state} />
        ) : (
          <div className={styles.actions}>
            {(state?.status === 'stopped' || state?.status === 'errored' || (!state && failure !== null)) && (
              <Button
                tone="primary"
                busy={instance.pending === 'start'}
                onClick={() => instance.act('start')}
              >
                {text.start}
              </Button>
            )}
            {(state?.status === 'starting' || state?.status === 'errored') && <Stop instance={instance} />}
          </div>
        )}
      </div>
      {gates.map((gate, at) => (
        <Fragment key={at}>{gate}</Fragment>
      ))}
    </Panel>
  )
}

type Instance = ReturnType<typeof useInstance>

interface RunningProps extends InstancePanelProps {
  readonly instance: Instance
  readonly state: NonNullable<Instance['state']>
}

function Running({ challenge, instance, state }: RunningProps) {
  const text = useMessages(livePartsMessages)
  const format = useFormat()
  const { instancerExtendable, instancerLifetime } = challenge
  const lifeMs = instancerLifetime ?? 0
  const leftMs = useTimeLeft(state)
  return (
    <>
      <ul className="pn-list pn-gap-2 pn-grid">
        {state.endpoints.map((place, at) => (
          <EndpointRow key={at} place={place} />
        ))}
      </ul>
      {leftMs !== null && <InstanceTime leftMs={leftMs} lifeMs={lifeMs} />}
      <div className={styles.actions}>
        {instancerExtendable && (
          <Button
            tone={isSoon(leftMs) ? 'primary' : 'plain'}
            busy={instance.pending === 'extend'}
            onClick={() => instance.act('extend')}
          >
            {text.extendTo(format.number(Math.round(lifeMs / MINUTE_MS)))}
          </Button>
        )}
        <Stop instance={instance} />
      </div>
    </>
  )
}

function Stop({ instance }: { readonly instance: Instance }) {
  const text = useMessages(livePartsMessages)
  return (
    <ConfirmButton tone="plain" busy={instance.pending === 'stop'} onConfirm={() => instance.act('stop')}>
      {text.stop}
    </ConfirmButton>
  )
}

interface StateProps {
  readonly status: 'stopped' | 'running' | 'starting' | 'stopping' | 'errored'
  readonly lifeMs: number
  readonly restarts?: number | undefined
  readonly queuePosition?: number | undefined
}

function State({ status, lifeMs, restarts, queuePosition }: StateProps) {
  const text = useMessages(livePartsMessages)
  const format = useFormat()
  let said = status === 'stopped' ? text.stopped(format.number(Math.round(lifeMs / MINUTE_MS))) : text[status]
  if (queuePosition !== undefined) said = text.waitingStart(format.number(queuePosition))
  if (restarts !== undefined) said = text.crashing(format.number(restarts))
  return (
    <p className={styles.state} data-status={status}>
      {said}
    </p>
  )
}

/** How long the start has been running, as measured in this browser. */
function SinceStart() {
  const text = useMessages(livePartsMessages)
  const format = useFormat()
  const began = useRef(performance.now())
  const seconds = useTimed(() => Math.floor((performance.now() - began.current) / SECOND_MS))
  return (
    <p className="pn-muted pn-digits">
      {seconds >= SLOW_AFTER_S && `${text.slowStart} `}
      {text.startingFor(format.number(seconds))}
    </p>
  )
}

/**
 * Moves the focus to a permanent element when the focused one is removed; browsers would lose the position.
 */
function useKeptFocus() {
  const place = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)
  useEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    focused.current = null
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  })
  const watch = {
    onFocus: (event: FocusEvent) => {
      focused.current = event.target
    },
    onBlur: () => {
      focused.current = null
    },
  }
  return { place, watch }
}

/** Remaining lifetime of an instance in milliseconds, rounded to whole seconds. */
function useTimeLeft(state: SeenInstance): number | null {
  return useTimed(() => {
    const left = remainingMs(state)
    return left === null ? null : Math.max(0, Math.round(left / SECOND_MS) * SECOND_MS)
  })
}

/** Whether the instance should be extended soon. */
function isSoon(leftMs: number | null): boolean {
  return leftMs !== null && leftMs < SOON_MS
}

interface InstanceTimeProps {
  readonly leftMs: number
  readonly lifeMs: number
}

/** The remaining lifetime of the instance; shortly before the end the tab's title shows it too. */
function InstanceTime({ leftMs, lifeMs }: InstanceTimeProps) {
  const text = useMessages(livePartsMessages)
  const isOut = isSoon(leftMs)
  const prefix = isOut ? `(${clockText(leftMs)})` : null
  useEffect(() => {
    setTitlePrefix('instance', prefix)
    return () => setTitlePrefix('instance', null)
  }, [prefix])
  return (
    <div className="pn-muted pn-digits">
      {text.timeLeft} <TimeLeft leftMs={leftMs} />
      <progress
        className={styles.bar}
        aria-hidden="true"
        max={Math.max(lifeMs, leftMs)}
        value={leftMs}
        data-urgency={leftMs < NOW_MS ? 'now' : isOut ? 'soon' : undefined}
      />
    </div>
  )
}
