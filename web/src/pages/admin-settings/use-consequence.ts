import { readOverview } from '@pennant/contract/overview.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { challengesQuery, OWN_KEY } from '../../api/queries.ts'
import { useMay, usePhase } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { refresh } from '../../state/live.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { crossingOf, type Crossing } from './phase-change.ts'
import type { Values } from './draft.ts'

const overviewQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-settings', 'overview'],
  queryFn: ({ signal }) => requestData(readOverview, {}, { signal }),
  ...refresh(null),
})

export interface Consequence extends Crossing {
  readonly text: string
}

/** Describes the immediate effect of a schedule change, with numbers where permissions allow. */
export function useConsequence() {
  const text = useMessages(adminSettingsMessages)
  const format = useFormat()
  const { challenges, teams } = useCounts()
  return (saved: Values, next: Values): Consequence | null => {
    const crossing = crossingOf(saved, next, serverNow())
    if (crossing === null) return null
    const { from, to } = crossing
    const counted = (count: number | undefined) =>
      count === undefined ? null : { count, text: format.number(count) }
    const said = {
      before: text.closes(
        counted(challenges),
        Number.isNaN(next.startTime) ? null : format.dateTime(next.startTime),
      ),
      running:
        from === 'ended' ? text.continues(format.dateTime(next.endTime)) : text.opens(counted(challenges)),
      ended: text.ends(counted(teams)),
      archived: '',
    }
    return { ...crossing, text: said[to] }
  }
}

function useCounts() {
  const mayRead = useMay('challsRead')
  const mayOversee = useMay('challsRead', 'usersWrite')
  const isBefore = usePhase() === 'before'
  const challenges = useQuery({
    ...challengesQuery({ bypass: isBefore, everyMs: null }),
    enabled: !isBefore || mayRead,
  })
  const overview = useQuery({ ...overviewQuery, enabled: mayOversee })
  return { challenges: challenges.data?.length, teams: overview.data?.teams }
}
