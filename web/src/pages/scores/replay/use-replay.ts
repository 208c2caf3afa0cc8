import { getLeaderboardAt } from '@pennant/contract/replay.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { requestData } from '../../../api/client.ts'
import { OWN_KEY, PAGE_SIZE } from '../../../api/queries.ts'
import { useGate } from '../../../api/use-contest.ts'
import { serverNow } from '../../../state/clock.ts'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { lastPosition, positionOf, stepOf, timeAt } from './times.ts'

/** Time between two steps. */
const STEP_MS = { slow: 1000, normal: 500, fast: 250 } as const
type Speed = keyof typeof STEP_MS
export const SPEEDS: readonly Speed[] = ['slow', 'normal', 'fast']

/** A moved slider asks once it rests. */
const SETTLE_MS = 120
/** The address follows a paused replay; browsers limit how often it may change. */
const ADDRESS_MS = 500

interface PastPage {
  readonly time: number
  readonly division: string | undefined
  readonly track: string | undefined
  readonly page: number
  /** Use the view of a team with the permission to see it before the start. */
  readonly bypass: boolean
}

function boardAtQuery({ time, division, track, page, bypass }: PastPage) {
  const query = {
    time: String(time),
    limit: String(PAGE_SIZE),
    offset: String(page * PAGE_SIZE),
    ...(division === undefined ? {} : { division }),
    ...(track === undefined ? {} : { track }),
  }
  return queryOptions({
    queryKey: [...(bypass ? [OWN_KEY] : []), 'board-at', { division, track, time, page }],
    queryFn: ({ signal }) =>
      requestData(getLeaderboardAt, { query }, { signal, asTeam: bypass, turn: 'later' }),
    placeholderData: keepPreviousData,
    staleTime: 5 * MINUTE_MS,
    gcTime: MINUTE_MS,
  })
}

interface Use {
  readonly time: number
  readonly onTime: (time: number) => void
  readonly config: { readonly startTime: number; readonly endTime: number }
  readonly division: string | undefined
  readonly track: string | undefined
  readonly page: number
}

/** The position of the slider, its playback, and the standings there. */
export function useReplay({ time: given, onTime, config, division, track, page }: Use) {
  const { startTime, endTime } = config
  const stepMs = stepOf(config)
  // As of the opening of the replay; later solves are on the current scoreboard.
  const [now] = useState(() => Math.floor(serverNow()))
  const period = { from: startTime, until: Math.max(startTime, Math.min(now, endTime)) }
  const last = lastPosition(period, stepMs)
  const [position, setPosition] = useState(() => positionOf(given, period, stepMs))
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>('normal')
  const time = timeAt(position, period, stepMs)
  const rested = useDebouncedValue(time, isPlaying ? 0 : SETTLE_MS)
  const { isEarly } = useGate('leaderboardRead')
  const query = useQuery(
    boardAtQuery({ time: isPlaying ? time : rested, division, track, page, bypass: isEarly }),
  )
  const isShown = query.data !== undefined && !query.isPlaceholderData
  const isOver = position >= last || query.isError
  useEffect(() => {
    if (!isPlaying || !isShown) return
    if (isOver) return setPlaying(false)
    const timer = setTimeout(() => setPosition((at) => at + 1), STEP_MS[speed])
    return () => clearTimeout(timer)
  }, [isPlaying, isShown, isOver, position, speed])
  useEffect(() => {
    if (query.isError) setPlaying(false)
  }, [query.isError])
  const settled = useDebouncedValue(isPlaying ? null : time, ADDRESS_MS)
  const tell = useEffectEvent((at: number) => {
    if (at !== given) onTime(at)
  })
  useEffect(() => {
    if (settled !== null) tell(settled)
  }, [settled])
  return {
    query,
    position,
    last,
    time,
    isPlaying,
    speed,
    setSpeed,
    move(to: number) {
      setPlaying(false)
      setPosition(to)
    },
    toggle() {
      if (!isPlaying && position >= last) setPosition(0)
      setPlaying(!isPlaying)
    },
  }
}
