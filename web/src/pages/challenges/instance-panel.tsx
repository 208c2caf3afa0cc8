import { Fragment } from 'react'
import { useNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { commandOf, isLink, type Place } from './endpoints.ts'
import type { Challenge } from './list-rules.ts'
import styles from './live.module.css'
import { liveWords } from './live-words.ts'
import { useInstance } from './use-instance.ts'

const MINUTE_MS = 60_000

/** A container of the team's own: started, reached, extended, stopped here. */
export function InstancePanel({ challenge }: { readonly challenge: Challenge }) {
  const text = useText(liveWords)
  const { state, seenAt, failure, problem, busy, act, gates } = useInstance(challenge.id)
  const isThere = state?.status === 'running' || state?.status === 'starting' || state?.status === 'errored'
  return (
    <Panel title={text.instance} level={3}>
      {!state && failure === null && <Skeleton rows={2} />}
      <div role="status" className={styles.said}>
        {state && <State status={state.status} lifeMs={challenge.instancerLifetime ?? 0} />}
        {(problem ?? (state ? null : failure)) !== null && (
          <p className={styles.problem}>{problem ?? failure}</p>
        )}
      </div>
      {state?.status === 'running' && (
        <>
          <ul className={styles.places}>
            {state.endpoints.map((place, at) => (
              <Endpoint key={at} place={place} />
            ))}
          </ul>
          {state.timeLeftMilliseconds !== null && (
            <Left seenAt={seenAt} leftMs={state.timeLeftMilliseconds} />
          )}
        </>
      )}
      <div className={styles.deeds}>
        {(state?.status === 'stopped' || (!state && failure !== null)) && (
          <Button tone="primary" busy={busy === 'start'} onClick={() => act('start')}>
            {text.start}
          </Button>
        )}
        {state?.status === 'running' && challenge.instancerExtendable && (
          <Button busy={busy === 'extend'} onClick={() => act('extend')}>
            {text.extend}
          </Button>
        )}
        {isThere && (
          <ConfirmButton tone="plain" busy={busy === 'stop'} onConfirm={() => act('stop')}>
            {text.stop}
          </ConfirmButton>
        )}
      </div>
      {gates.map((gate, at) => (
        <Fragment key={at}>{gate}</Fragment>
      ))}
    </Panel>
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

/** Counted from the answer on. */
function Left({ seenAt, leftMs }: { readonly seenAt: number; readonly leftMs: number }) {
  const text = useText(liveWords)
  useNow()
  return (
    <p className={styles.left}>
      {text.timeLeft} <TimeLeft leftMs={Math.max(0, leftMs - (Date.now() - seenAt))} />
    </p>
  )
}

function Endpoint({ place }: { readonly place: Place }) {
  const text = useText(liveWords)
  const command = commandOf(place)
  return (
    <li className={styles.place}>
      {place.title !== undefined && <span className={styles.placeTitle}>{place.title}</span>}
      {place.port === 0 && <span>{text.unavailable}</span>}
      {isLink(place) && (
        <a dir="ltr" href={command} target="_blank" rel="noopener noreferrer">
          {command}
        </a>
      )}
      {place.port > 0 && !isLink(place) && <code dir="ltr">{command}</code>}
      {place.port > 0 && <CopyButton text={() => command}>{text.copy}</CopyButton>}
    </li>
  )
}
