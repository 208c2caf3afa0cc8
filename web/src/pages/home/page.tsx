import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { configQuery } from '../../api/queries.ts'
import { usePhase } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { pageIsQuiet } from '../../api/use-stream.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Before } from './before.tsx'
import { Ended } from './ended.tsx'
import styles from './home.module.css'
import { Live } from './live.tsx'

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
