import {
  CEREMONY_TEAMS,
  getCeremony,
  getLeaderboardAt,
  goodCeremony,
  goodLeaderboardAt,
  REPLAY_STEP_MS,
} from '@pennant/contract/replay.ts'
import { LRUCache } from 'lru-cache'
import { addressKey } from '../../../http/request/client-address.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { preparedCache } from '../../../http/response/prepared-cache.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { refuse } from '../../../http/request/validate.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { WorldView } from '../../../world/model.ts'
import { perExtent, type Visibility } from '../../contest/visibility/visibility.ts'
import type { PastRanks } from '../../../world/reads.ts'
import { ceremonyTeam, pastRow, periodOf, rankedThen, shownTime, type PastAt } from './replay.ts'
import { isKnownDivision } from './rules.ts'
import { WHOLE, withTracks } from '../../contest/visibility/rules.ts'
import { seenIn } from '../../contest/visibility/seen.ts'
import { askedTracks, refusedTracks } from '../../contest/visibility/tracks.ts'

export interface ReplayDeps {
  /** Everything, for organisers. */
  readonly world: () => WorldView
  readonly visibility: Visibility
  readonly limiter: Limiter
  /** The clock. */
  readonly now: () => number
  /** Configured divisions, id to label. */
  readonly divisions: Readonly<Record<string, string>>
}

/** A page of 25 teams has about 5 KB. */
const PAGES = { name: 'replay', max: 1024, maxSize: 16 * 1024 * 1024 }
/** Of callers who do not see all. */
const LIMITED_PAGES = { name: 'limited replay', max: 256, maxSize: 4 * 1024 * 1024 }
const CEREMONIES = { name: 'ceremonies', max: 16, maxSize: 8 * 1024 * 1024 }
/** The standings of 10,000 teams take about 2 MB; the pages of a time are read one after the other. */
const TIMES = 4

/** The standings of earlier times: for everyone those of the scoreboard, for organisers a period of all there are. */
export function replayRoutes(deps: ReplayDeps): Endpoint[] {
  const { world, visibility, limiter, now, divisions } = deps
  const past = createPast()
  const pagesOf = perExtent((key) => preparedCache(key === '' ? PAGES : LIMITED_PAGES))
  const ceremonies = preparedCache(CEREMONIES)

  const refusal = (ip: string) => limiter.take('pageRenders', addressKey(ip))

  /** Rejects an unknown division; `''` means all. */
  function refusedDivision(division: string | undefined) {
    if (!division || isKnownDivision(divisions, division)) return null
    return refuse('query', 'division', 'no such division')
  }

  return [
    on(getLeaderboardAt, async ({ query, ip, viewer }) => {
      const { limit, offset } = query
      const division = query.division || undefined
      const refused = refusedDivision(division) ?? refusedTracks(world(), query.track)
      if (refused) return refused
      const { world: view, extent } = visibility.seenBy(viewer, askedTracks(world(), query.track))
      const pages = pagesOf(extent)
      const period = periodOf(view, now())
      const time = shownTime(query.time, period)
      const key = JSON.stringify([time, period, limit, offset, division])
      const found = pages.find(view.boardKey, key)
      return found ?? (await refusal(ip)) ?? pages.get(view.boardKey, key, render)

      function render(): Prepared {
        const then = past(view)(time)
        const ids = rankedThen(view, then, division)
        const rows = ids.slice(offset, offset + limit).map((id) => pastRow(view, id, { past: then, time }))
        return prepare(goodLeaderboardAt({ time, ...period, total: ids.length, leaderboard: rows }))
      }
    }),

    on(getCeremony, async ({ query, ip }) => {
      const division = query.division || undefined
      const limit = Math.min(query.limit, CEREMONY_TEAMS)
      const refused = refusedDivision(division) ?? refusedPeriod(query) ?? refusedTracks(world(), query.track)
      if (refused) return refused
      const view = seenIn(world(), withTracks(WHOLE, askedTracks(world(), query.track) ?? null))
      const period = periodOf(view, now())
      const [from, until] = [shownTime(query.from, period), shownTime(query.until, period)]
      const key = JSON.stringify([from, until, limit, division])
      const found = ceremonies.find(view.boardKey, key)
      return found ?? (await refusal(ip)) ?? ceremonies.get(view.boardKey, key, render)

      function render(): Prepared {
        const [before, after] = [past(view)(from), past(view)(until)]
        const ids = rankedThen(view, after, division)
        const teams = ids
          .slice(0, limit)
          .map((id) => ceremonyTeam(view, id, { before, after, from, until, division }))
        const challenges = Object.fromEntries(
          teams.flatMap(({ solves }) =>
            solves.map(({ challengeId }) => {
              const { name = '', category = '' } = view.challenge(challengeId) ?? {}
              return [challengeId, { name, category }]
            }),
          ),
        )
        return prepare(goodCeremony({ from, until, total: ids.length, teams, challenges }))
      }
    }),
  ]
}

function refusedPeriod({
  limit,
  from,
  until,
}: {
  readonly limit: number
  readonly from: number
  readonly until: number
}) {
  if (limit > CEREMONY_TEAMS) return refuse('query', 'limit', `must be at most ${CEREMONY_TEAMS}`)
  return from < until ? null : refuse('query', 'until', 'must be after from')
}

/** The standings of the last few times of each view, until they change. */
function createPast(): (view: WorldView) => PastAt {
  const known = new LRUCache<string, PastRanks>({ max: TIMES })
  return (view) => (time) => {
    const key = `${view.boardKey} ${time}`
    const found = mayUseCaches() ? known.get(key) : undefined
    if (found) return found
    // As fine as the times that can be asked for, so that pushed scores count from their time.
    const past = view.ranksAt(time, REPLAY_STEP_MS)
    if (mayUseCaches()) known.set(key, past)
    return past
  }
}
