import { groupBy } from '../../../lib/group-by.ts'
import type { ExpectedStandings } from '../contest.ts'
import type { Counted } from './play.ts'

const RULE = 'score, then the latest solve or award, then its number'

/**
 * The standings that CTFd shows: every solve is worth the stored value of its challenge, and awards count. Accounts are
 * ranked that have a solve or an award with points.
 */
export function expectedStandings(rows: readonly Counted[], ranked: ReadonlySet<string>): ExpectedStandings {
  const counted = rows.filter(({ teamId, value }) => ranked.has(teamId) && value !== 0)
  const lines = [...groupBy(counted, ({ teamId }) => teamId)].map(([teamId, own]) => ({
    teamId,
    score: own.reduce((sum, { value }) => sum + value, 0),
    at: own.reduce((latest, { at }) => Math.max(latest, at), 0),
    number: own.reduce((highest, { number }) => Math.max(highest, number), 0),
  }))
  lines.sort((a, b) => b.score - a.score || a.at - b.at || a.number - b.number)
  return { ranks: lines.map(({ teamId, score }) => ({ teamId, score })), rule: RULE }
}
