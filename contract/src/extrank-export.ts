import { z } from 'zod'
import { badPerms, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// The standings in the form that the ranking site imports (contract, participant 16.2).

export const ExtrankStandings = z.object({
  standings: z.array(z.object({ pos: z.int(), team: z.string(), score: z.int() })),
})

/** Never on the wire: the body goes out without its envelope. */
export const goodExtrankLeaderboard = reply(200, 'goodExtrankLeaderboard', 'Standings.', ExtrankStandings)

export const getExtrankLeaderboard = route({
  method: 'GET',
  path: '/api/v1/integrations/extrank/leaderboard',
  summary: 'All ranked teams, for the ranking site.',
  auth: 'required',
  perms: ['leaderboardRead'],
  unwrapped: true,
  replies: [goodExtrankLeaderboard, badToken, badPerms],
})

export const extrankExportRouteList = [getExtrankLeaderboard] as const
