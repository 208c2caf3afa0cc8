import { listAnnouncements } from '@pennant/contract/announcements.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refreshStreamed } from '../state/live.ts'
import { requestData } from './client.ts'
import { OWN_KEY } from './queries.ts'
import { useConfig, useOwnTeam } from './use-contest.ts'

/** What is announced to everyone, or with `asTeam` also what is only for the team. */
export function announcementsQuery(asTeam: boolean) {
  return queryOptions({
    queryKey: [...(asTeam ? [OWN_KEY] : []), 'announcements'],
    queryFn: async ({ signal }) =>
      (await requestData(listAnnouncements, {}, { signal, asTeam, turn: 'later' })).announcements,
    ...refreshStreamed(2 * MINUTE_MS),
  })
}

interface Use {
  /** Only observe what another part of the page has read. */
  readonly isObserver?: boolean
}

export function useAnnouncements({ isObserver = false }: Use = {}) {
  const config = useConfig()
  const { isSignedIn, team } = useOwnTeam()
  useDivisionChange(team?.division)
  const enabled = !isObserver && config !== undefined && config.isArchived !== true
  return useQuery({ ...announcementsQuery(isSignedIn), enabled })
}

/** Some announcements are only for a division. No event reports those of its new division. */
function useDivisionChange(division: string | undefined): void {
  const queries = useQueryClient()
  const known = useRef(division)
  useEffect(() => {
    const before = known.current
    known.current = division ?? before
    if (before === undefined || division === undefined || division === before) return
    void queries.invalidateQueries({ queryKey: announcementsQuery(true).queryKey })
  }, [division, queries])
}
