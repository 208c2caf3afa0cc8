import { Fragment, useRef } from 'react'
import { useTimed } from '../state/clock.ts'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ConfirmButton } from '../ui/layers/confirm.tsx'
import { Panel } from '../ui/states/panel.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'
import { EndpointRow } from './endpoint-row.tsx'
import type { Challenge } from './challenge.ts'
import { InstanceTime, isSoon, useTimeLeft } from './instance-time.tsx'
import styles from './live.module.css'
import { liveWords } from './live-words.ts'
import { useEndWarning } from './use-end-warning.ts'
import { useInstance } from './use-instance.ts'
import { useKeptFocus } from './use-kept-focus.ts'

const MINUTE_MS = 60_000
const SECOND_MS = 1000
/** Then a start is called slow. */
const SLOW_AFTER_S = 60

type InstancePanelProps = {
  readonly challenge: Pick<Challenge, 'id' | 'name' | 'instancerLifetime' | 'instancerExtendable'>
}

/** A container of the team's own: started, reached, extended, stopped here. */
export function InstancePanel({ challenge }: InstancePanelProps) {
  const text = useText(liveWords)
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
          {state && <State status={state.status} lifeMs={lifeMs} />}
          {(problem ?? (state ? null : failure)) !== null && (
            <p className={styles.problem}>{problem ?? failure}</p>
          )}
        </div>
        {state?.status === 'starting' && <SinceStart />}
        {state?.status === 'running' ? (
          <Running challenge={challenge} instance={instance} state={state} />
        ) : (
          <div className={styles.deeds}>
            {(state?.status === 'stopped' || state?.status === 'errored' || (!state && failure !== null)) && (
              <Button tone="primary" busy={instance.busy === 'start'} onClick={() => instance.act('start')}>
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
  const text = useText(liveWords)
  const format = useFormat()
  const { instancerExtendable, instancerLifetime } = challenge
  const lifeMs = instancerLifetime ?? 0
  const leftMs = useTimeLeft(state)
  return (
    <>
      <ul className={styles.places}>
        {state.endpoints.map((place, at) => (
          <EndpointRow key={at} place={place} />
        ))}
      </ul>
      {leftMs !== null && <InstanceTime leftMs={leftMs} lifeMs={lifeMs} />}
      <div className={styles.deeds}>
        {instancerExtendable && (
          <Button
            tone={isSoon(leftMs) ? 'primary' : 'plain'}
            busy={instance.busy === 'extend'}
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
  const text = useText(liveWords)
  return (
    <ConfirmButton tone="plain" busy={instance.busy === 'stop'} onConfirm={() => instance.act('stop')}>
      {text.stop}
    </ConfirmButton>
  )
}

interface StateProps {
  readonly status: 'stopped' | 'running' | 'starting' | 'stopping' | 'errored'
  readonly lifeMs: number
}

function State({ status, lifeMs }: StateProps) {
  const text = useText(liveWords)
  const format = useFormat()
  const said =
    status === 'stopped' ? text.stopped(format.number(Math.round(lifeMs / MINUTE_MS))) : text[status]
  return (
    <p className={styles.state} data-status={status}>
      {said}
    </p>
  )
}

/** How long a start takes already, as seen from here. */
function SinceStart() {
  const text = useText(liveWords)
  const format = useFormat()
  const began = useRef(performance.now())
  const seconds = useTimed(() => Math.floor((performance.now() - began.current) / SECOND_MS))
  return (
    <p className={styles.left}>
      {seconds >= SLOW_AFTER_S && `${text.slow} `}
      {text.startingFor(format.number(seconds))}
    </p>
  )
}
