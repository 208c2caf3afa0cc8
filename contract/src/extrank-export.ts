import { z } from 'zod'
import { badEndpoint, badToken } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// The standings in the format of the ranking site:
// docs/reference/leaderboard.md#standings-for-the-ranking-site

export const ExtrankStandings = z.object({
  standings: z.array(z.object({ pos: z.int(), team: z.string(), score: z.int() })),
})

/** Never sent: the response body is the data without the envelope. */
export const goodExtrankLeaderboard = reply(200, 'goodExtrankLeaderboard', 'Standings.', ExtrankStandings)

export const getExtrankLeaderboard = organiserRoute({
  method: 'GET',
  path: '/api/v1/integrations/extrank/leaderboard',
  summary: 'All ranked teams, for the ranking site.',
  perms: ['leaderboardRead'],
  scope: 'organise:read',
  unwrapped: true,
  compatible: true,
  replies: [goodExtrankLeaderboard],
})

/** Points and time of each task that the team solved, by name. Times are Unix seconds. */
const TaskStats = z.record(z.string(), z.object({ points: z.int(), time: z.int().describe('Unix seconds.') }))

export const StandingsFeed = z.object({
  standings: z.array(
    z.object({
      pos: z.int(),
      team: z.string(),
      score: z.int(),
      taskStats: TaskStats.optional().describe('Only in the maximal form.'),
      lastAccept: z
        .int()
        .optional()
        .describe(
          'Unix seconds of the latest solve that counts; only in the maximal form, and only after a solve.',
        ),
    }),
  ),
  tasks: z.array(z.string()).optional().describe('Names of the challenges; only in the maximal form.'),
  final: z.boolean().describe('Whether the event is over: until then, all of it may change.'),
})

/** Never sent: the response body is the data without the envelope. */
export const goodStandingsFeed = reply(200, 'goodStandingsFeed', 'Standings.', StandingsFeed)

/** A poller of a ranking site cannot send a header, so the key is part of the address. */
export const getStandingsFeed = route({
  method: 'GET',
  path: '/api/v2/integrations/extrank/standings',
  summary:
    'The standings for the poller of the ranking site, with the key of `standingsFeed` in the configuration.',
  auth: 'public',
  // The key opens it, whoever may see the scoreboard.
  shows: [],
  query: z.object({
    key: z.string().max(256).describe('Key of the feed.'),
    form: z.enum(['minimal', 'maximal']).optional().describe('Default: `minimal`.'),
  }),
  secret: true,
  unwrapped: true,
  limits: ['signIns'],
  replies: [goodStandingsFeed, badEndpoint, badToken],
})

export const extrankExportRouteList = [getExtrankLeaderboard, getStandingsFeed] as const
