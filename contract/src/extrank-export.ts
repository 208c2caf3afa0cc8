import { z } from 'zod'
import { badPerms, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// The standings in the format of the ranking site:
// docs/reference/leaderboard.md#standings-for-the-ranking-site

export const ExtrankStandings = z.object({
  standings: z.array(z.object({ pos: z.int(), team: z.string(), score: z.int() })),
})

/** Never sent: the response body is the data without the envelope. */
export const goodExtrankLeaderboard = reply(200, 'goodExtrankLeaderboard', 'Standings.', ExtrankStandings)

export const getExtrankLeaderboard = route({
  method: 'GET',
  path: '/api/v1/integrations/extrank/leaderboard',
  summary: 'All ranked teams, for the ranking site.',
  auth: 'required',
  perms: ['leaderboardRead'],
  unwrapped: true,
  budget: {
    cost: 'render',
    limits: ['organiserReads'],
    note: 'one body for all callers, rendered once per change',
  },
  replies: [goodExtrankLeaderboard, badToken, badPerms],
})

export const extrankExportRouteList = [getExtrankLeaderboard] as const
