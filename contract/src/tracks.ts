import { z } from 'zod'
import { ChallengeId, TeamId, UnixMs } from './fields.ts'
import { badChallenge, badPerms, badToken, badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Tracks for humans and agents: docs/reference/tracks.md

/** Entries and characters. Boards of sets of tracks are bit masks, and each policy is in the client configuration. */
export const trackLimits = { tracks: 8, label: 60, policy: 2000, agent: 100, reason: 500 }

/** Words that the `track` parameter uses. */
const RESERVED = ['all', 'main']

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/\p{C}|\p{Zl}|\p{Zp}/u.test(text), {
      error: 'must be one line of printable characters',
    })

export const TrackId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, { error: 'must be lower-case letters, digits and hyphens' })
  .refine((id) => !RESERVED.includes(id), { error: 'is reserved' })

const switches = {
  mayRegister: z.boolean().describe('Teams may declare it.'),
  isRanked: z.boolean().describe('Its teams are in the main standings.'),
  affectsPoints: z.boolean().describe('Values of challenges fall with the solves of its teams.'),
  takesBloods: z.boolean().describe('Its teams take first bloods in the main standings.'),
  getsPrizes: z.boolean().describe('Its teams are eligible for prizes.'),
  namesAgent: z.boolean().describe('Its teams name an operator and a model.'),
}

/** In what the API returns. */
export const Track = z.object({ id: z.string(), label: z.string(), policy: z.string(), ...switches })

export const Tracks = z
  .array(
    Track.extend({
      id: TrackId,
      label: line(trackLimits.label),
      policy: z.string().trim().max(trackLimits.policy),
    }),
  )
  .min(1)
  .max(trackLimits.tracks)
  .refine((tracks) => new Set(tracks.map(({ id }) => id)).size === tracks.length, {
    error: 'must have different ids',
  })
  .refine((tracks) => tracks[0]?.mayRegister, {
    error: 'must begin with one that teams may declare: teams that declare nothing are in the first',
  })
  .describe('From the strictest to the most permissive. Teams that declare nothing are in the first.')

/** In the client configuration. */
export const PublicTracks = z.object({
  list: z.array(Track),
  lockAt: UnixMs.describe(
    'From this time on, in Unix milliseconds, teams only move to a more permissive track.',
  ),
})

export const Agent = z.object({
  operator: line(trackLimits.agent).describe('Who runs the agent.'),
  model: line(trackLimits.agent).describe('The model that it uses.'),
})
const ShownAgent = z.object({ operator: z.string(), model: z.string() })

export const TrackDeclaration = z.object({
  track: z.string().max(32),
  agent: Agent.optional().describe('Only for a track whose teams name an agent.'),
})

/** The handlers check whether the tracks exist. */
export const TrackQuery = z
  .string()
  .max(300)
  .optional()
  .describe(
    'Asks for tracks: `main` names the track of each team; ids, separated by commas, or `all` give the standings among the teams of these tracks alone, with their ranks and first bloods.',
  )

/** Fields of a row, only if the `track` parameter asks for them. */
export const trackMark = { track: z.string().optional().describe('Only if `track` asks for it.') }
export const assistedMark = {
  assisted: z
    .literal(true)
    .optional()
    .describe('The team says that it had the help of an agent. Only if `track` asks for it.'),
}
export const profileMarks = {
  ...trackMark,
  agent: ShownAgent.optional(),
  trackPlace: z.int().nullable().optional().describe('Rank among the teams of its track.'),
}

const OwnTrack = z.object({
  track: z.string(),
  declared: z.boolean().describe('False: the team declared nothing and is in the first track.'),
  agent: ShownAgent.nullable(),
  trackPlace: z.int().nullable().describe('Rank among the teams of its track.'),
  teams: z.int().describe('Ranked teams of its track.'),
  choices: z.array(z.string()).describe('Ids of the tracks that the team may declare now.'),
  assisted: z.array(z.string()).describe('Ids of the challenges whose solves it has marked.'),
})

export const goodOwnTrack = reply(200, 'goodOwnTrack', 'The track of your team.', OwnTrack)
export const goodAssistedMark = reply(200, 'goodAssistedMark', 'The solve was marked.')
export const goodTeamTrack = reply(200, 'goodTeamTrack', 'The team was moved.')
export const badTracks = reply(404, 'badTracks', 'This event has no tracks.')
export const badTrack = reply(403, 'badTrack', 'This track is not open to your team.')
export const badTrackAgent = reply(
  400,
  'badTrackAgent',
  'Teams of this track name the operator and the model of their agent.',
)
export const badSolve = reply(404, 'badSolve', 'Your team has not solved this challenge.')

const own = { path: '/api/v2/users/me/track', auth: 'required' } as const

export const readOwnTrack = route({
  ...own,
  method: 'GET',
  summary: "Read the track of the caller's team, and which ones it may declare.",
  scope: 'read',
  shows: [],
  limitedTo: ['scoreboard'],
  limits: ['teamReads'],
  replies: [goodOwnTrack, badTracks, badToken],
})

export const declareTrack = route({
  ...own,
  method: 'PUT',
  summary:
    "Declare the track of the caller's team: any until the lock time, a more permissive one at any time.",
  scope: 'profile',
  // After the lock time it cannot be taken back.
  ownTokenOnly: true,
  body: TrackDeclaration,
  limits: ['teamWrites'],
  replies: [goodOwnTrack, badTracks, badTrack, badTrackAgent, badPerms, badToken],
})

export const markAssisted = route({
  method: 'PUT',
  path: '/api/v2/challs/:id/assisted',
  summary: "Say whether the caller's team solved a challenge with the help of an agent.",
  auth: 'required',
  scope: 'profile',
  notBanned: true,
  params: z.object({ id: ChallengeId }),
  body: z.object({ assisted: z.boolean() }),
  limits: ['teamWrites'],
  replies: [goodAssistedMark, badTracks, badChallenge, badSolve],
})

export const moveTeam = organiserRoute({
  method: 'PUT',
  path: '/api/v2/admin/users/:id/track',
  perms: ['usersWrite'],
  summary: 'Moves a team to any track, at any time, with a reason for the action log.',
  scope: 'teams:write',
  params: z.object({ id: TeamId }),
  body: z.object({
    data: TrackDeclaration.extend({ reason: line(trackLimits.reason) }),
  }),
  bodyCap: 'admin',
  replies: [goodTeamTrack, badTracks, badTrack, badTrackAgent, badUnknownUser],
})

export const trackRouteList = [readOwnTrack, declareTrack, markAssisted, moveTeam] as const
