import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { clockDifferenceMs, serverNow } from '../state/clock.ts'
import { scheduleAt } from '../state/schedule.ts'
import { recordVisit } from '../state/opening.ts'
import { endRefetchAt, jitteredTime, prepareAt } from '../state/start-stagger.ts'
import { configQuery, ownTeamQuery } from './queries.ts'
import { useConfig } from './use-contest.ts'

/**
 * What the whole site does around the start and the end, at times that each browser draws at random. Call
 * once.
 * @param prepare fetches the code that is needed at the start.
 */
export function useScheduledRefetches(prepare: () => void): void {
  const queries = useQueryClient()
  const { startTime, endTime } = useConfig() ?? {}
  const [[first, later, last]] = useState(() => [Math.random(), Math.random(), Math.random()] as const)
  useEffect(() => {
    if (startTime === undefined || endTime === undefined) return
    const now = serverNow()
    const plan: [number, () => void][] = []
    const soon = prepareAt(now, startTime, first)
    if (soon !== null) {
      plan.push([
        soon,
        () => {
          prepare()
          void queries.refetchQueries({ queryKey: configQuery.queryKey })
        },
      ])
      plan.push([jitteredTime(startTime, later), () => refetchFailedQueries(queries, startTime, COMMON)])
    }
    if (now < endTime)
      plan.push([endRefetchAt(endTime, last), () => refetchFailedQueries(queries, endTime, COMMON_AT_END)])
    const ends = plan.map(([at, callback]) => scheduleAt(at, callback))
    return () => ends.forEach((end) => end())
  }, [queries, startTime, endTime, prepare, first, later, last])
  useEffect(() => {
    const record = () => !document.hidden && recordVisit()
    document.addEventListener('visibilitychange', record)
    return () => document.removeEventListener('visibilitychange', record)
  }, [])
}

const COMMON = [configQuery.queryKey, ownTeamQuery.queryKey]
const COMMON_AT_END = [...COMMON, ['challenges'], ['board'], ['graph'], ['board-challenges'], ['team']]

/** Refetches active queries whose data is older than the given time. */
function refetchFailedQueries(
  queries: QueryClient,
  time: number,
  keys: readonly (readonly unknown[])[],
): void {
  const before = time + clockDifferenceMs()
  for (const queryKey of keys) {
    const outdated = {
      queryKey,
      type: 'active',
      predicate: ({ state }: Query) => state.dataUpdatedAt < before,
    } as const
    // A request that a page has just sent is not sent again.
    void queries.refetchQueries(outdated, { cancelRefetch: false })
  }
}
