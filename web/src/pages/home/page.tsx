import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { configQuery } from '../../api/queries.ts'
import { usePhase } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { pageIsQuiet } from '../../api/use-stream.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Ended } from './ended.tsx'
import styles from './home.module.css'
import { Live } from './live.tsx'
import { flagExample } from '../../challenge/flag-example.ts'
import { BuntingLine, type BuntingItem } from '../../ui/marks/bunting-line.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { Actions, EventName, HangingClock, Words, type Config, type PhaseProps } from './event-parts.tsx'

/** The page before, during and after the event. */
export function Component() {
  const query = useQuery(configQuery)
  const { data } = query
  const failure = useFailure(query)
  usePageTitle(null)
  const text = useMessages(homeMessages)
  const phase = usePhase()
  if (!data || phase === null) {
    return (
      <div className={styles.page}>
        <h1 className="pn-hidden">{text.title}</h1>
        <LoadState failure={failure}>
          <Skeleton rows={4} height="3rem" />
        </LoadState>
      </div>
    )
  }
  const Phase = phase === 'before' ? Before : phase === 'running' ? Live : Ended
  return (
    <Phase
      config={data}
      news={
        <Suspense>
          <Announced />
        </Suspense>
      }
    />
  )
}

/** Announcements and the next wave, once the page has what it shows first: below that, so that nothing read moves. */
const Announced = lazy(async () => {
  await pageIsQuiet
  return { default: (await import('./announced.tsx')).Announced }
})

const LargePennant = lazy(async () => ({ default: (await import('./large-pennant.tsx')).LargePennant }))

const CLOTH = { width: 34, height: 46 }
const CATEGORIES = 'web crypto pwn rev forensics osint misc blockchain'.split(' ')

/** Decoration: the categories of the challenges are secret until the start. */
function decoration(count: number): BuntingItem[] {
  return Array.from({ length: count }, (_, at) => ({
    category: CATEGORIES[at % CATEGORIES.length] ?? '',
    state: 'solved' as const,
  }))
}

const WIDE = decoration(24)
const NARROW = decoration(9)

/** The page before the start: when it starts, where to register, what to know. */
function Before({ config, news }: PhaseProps) {
  const text = useMessages(homeMessages)
  const isWide = useMedia('(min-width: 1024px)')
  return (
    <>
      <section className={styles.hero}>
        <div className={styles.across}>
          <BuntingLine
            items={isWide ? WIDE : NARROW}
            width={isWide ? 1440 : 420}
            cloth={CLOTH}
            most={WIDE.length}
          />
        </div>
        {isWide && (
          <Suspense fallback={null}>
            <LargePennant />
          </Suspense>
        )}
        <div className={styles.inHero}>
          <EventName config={config} />
          {config.scheduled === false ? (
            <p className={styles.lead}>{text.notScheduled}</p>
          ) : (
            <HangingClock until={config.startTime} label={text.startsIn} large />
          )}
          <Actions config={config} isRunning={false} />
        </div>
      </section>
      <div className={styles.wide}>
        {news}
        <Facts config={config} />
        <Words config={config} />
      </div>
    </>
  )
}

function Facts({ config }: { readonly config: Config }) {
  const text = useMessages(homeMessages)
  const format = useFormat()
  const { startTime, endTime, scheduled, divisions, flagFormatPlaceholder } = config
  const flagFormat = flagExample(flagFormatPlaceholder)
  const count = Object.keys(divisions).length
  return (
    <section className={styles.facts} aria-label={text.facts}>
      {scheduled !== false && (
        <p>
          <b>{format.dateTime(startTime)}</b>
          {text.yourTime(format.dateTime(endTime))}
        </p>
      )}
      {count > 1 && (
        <p>
          <b>{text.divisions(count)}</b>
          {text.divisionText}
        </p>
      )}
      {flagFormat !== undefined && flagFormat !== '' && (
        <p>
          <b>
            <bdi dir="ltr">{flagFormat}</bdi>
          </b>
          {text.flagFormat}
        </p>
      )}
    </section>
  )
}
