import { z } from 'zod'
import { badEmailChangeDivision, goodEmailSet, goodVerifySent } from './accounts.ts'
import { BloodIndex, CountryCode, Email, StatusText, TeamId, TeamName, TeamToken, UnixMs } from './fields.ts'
import * as shared from './replies.ts'
import { reply, route, type Route } from './route.ts'
import { assistedMark, profileMarks, TrackQuery } from './tracks.ts'

// Profiles, settings and members of teams: docs/reference/teams.md

const { badEmail, badName, badKnownName, badKnownEmail, badEndpoint, badRateLimit } = shared
const { badToken, badPerms, badUnknownUser } = shared

/** A flag solve of a public challenge, as shown in profiles. */
export const ProfileSolveV1 = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  points: z.int().nullable(),
  solves: z.int().nullable(),
  createdAt: UnixMs,
})
export const ProfileSolveV2 = ProfileSolveV1.extend({
  awardedPoints: z.int().nullable().describe('Points first awarded for this solve.'),
  bloodIndex: BloodIndex,
  ...assistedMark,
})
export const ProfileDynamicScore = z.object({
  id: z.string(),
  points: z.int(),
  pointDelta: z.int().describe('Change in the latest push.'),
})

const place = z.int().nullable().describe('Rank; null for a team that is not ranked.')
const common = { name: z.string(), division: z.string(), score: z.int() }
const places = { globalPlace: place, divisionPlace: place }

export const ProfileV1 = z.object({
  ...common,
  ...places,
  extrankId: z.string().optional(),
  solves: z.array(ProfileSolveV1),
})
export const ProfileV2 = z.object({
  ...common,
  ...places,
  extrankId: z.string().nullable(),
  solves: z.array(ProfileSolveV2),
  dynamicScores: z.array(ProfileDynamicScore),
  avatarUrl: z.string().nullable(),
  countryCode: z.string().nullable(),
  statusText: z.string().nullable(),
  ...profileMarks,
})

const own = {
  id: z.string(),
  teamToken: TeamToken,
  allowedDivisions: z.array(z.string()).describe('Ids of the divisions that the team may choose.'),
  perms: z.int().describe('Sum of the permission bits; 0 for ordinary teams.'),
}
export const OwnProfileV1 = ProfileV1.extend({ ...own, email: z.string().optional() })
export const OwnProfileV2 = ProfileV2.extend({
  ...own,
  email: z.string().nullable(),
  banned: z.boolean(),
  hintChallenges: z
    .array(z.string())
    .optional()
    .describe(
      'Challenges of which the team has bought hints; absent without any. It keeps those that are withdrawn.',
    ),
})

/** What changes with the results of a team; the names and values of its challenges are in the list of challenges. */
export const OwnResults = OwnProfileV2.omit({
  extrankId: true,
  email: true,
  teamToken: true,
  allowedDivisions: true,
}).extend({
  solves: z.array(ProfileSolveV2.pick({ id: true, createdAt: true, bloodIndex: true })),
})

const UpdatedV1 = z.object({ name: z.string(), email: z.string().nullable(), division: z.string() })
const UpdatedV2 = UpdatedV1.extend({
  avatarUrl: z.string().nullable(),
  countryCode: z.string().nullable(),
  statusText: z.string().nullable(),
})

/** The API spells the key `userid`, in lower case. */
export const Member = z.object({ id: z.string(), userid: z.string(), email: z.string() })

export const badDivisionNotAllowed = reply(403, 'badDivisionNotAllowed', 'This division is not open to you.')
export const badDivisionChangeEnded = reply(
  403,
  'badDivisionChangeEnded',
  'Divisions are fixed after the end.',
)
export const badEmailNoExists = reply(404, 'badEmailNoExists', 'This team has no email address.')
export const badZeroAuth = reply(409, 'badZeroAuth', 'A team needs at least one way to sign in.')
export const badTooManyMembers = reply(
  409,
  'badTooManyMembers',
  'The team has the maximum number of members.',
)

export const goodUserDataV1 = reply(200, 'goodUserData', 'Team profile.', ProfileV1)
export const goodUserDataV2 = reply(200, 'goodUserData', 'Team profile.', ProfileV2)
/** Version 1 has one kind for all profiles. */
export const goodUserSelfDataV1 = reply(200, 'goodUserData', 'Team profile.', OwnProfileV1)
export const goodUserSelfDataV2 = reply(200, 'goodUserSelfData', 'Your team.', OwnProfileV2)
export const goodOwnResults = reply(200, 'goodOwnResults', 'Your results.', OwnResults)
export const goodUserUpdateV1 = reply(
  200,
  'goodUserUpdate',
  'Your team was updated.',
  z.object({ user: UpdatedV1 }),
)
export const goodUserUpdateV2 = reply(
  200,
  'goodUserUpdate',
  'Your team was updated.',
  z.object({ user: UpdatedV2 }),
)
export const goodSignOutEverywhere = reply(
  200,
  'goodSignOutEverywhere',
  'All earlier tokens of the team are invalid.',
  z.object({ authToken: z.string(), teamToken: TeamToken }),
)
export const goodEmailRemoved = reply(200, 'goodEmailRemoved', 'The email address was removed.')
export const goodMemberData = reply(200, 'goodMemberData', 'Team members.', z.array(Member))
export const goodMemberCreate = reply(200, 'goodMemberCreate', 'The member was added.', Member)
export const goodMemberDelete = reply(200, 'goodMemberDelete', 'The member was removed.')

const readProfile = {
  compatible: true,
  method: 'GET',
  summary: 'Read the public profile of a team.',
  auth: 'public',
  scope: 'read',
  gate: { started: 'challsRead' },
  shows: ['profiles'],
  limitedTo: ['challenges', 'scoreboard'],
  params: z.object({ id: TeamId }),
} as const

export const readProfileV1 = route({
  ...readProfile,
  path: '/api/v1/users/:id',
  limits: [],
  replies: [goodUserDataV1, badUnknownUser],
})
export const readProfileV2 = route({
  ...readProfile,
  path: '/api/v2/users/:id',
  query: z.object({ track: TrackQuery }),
  limits: [],
  replies: [goodUserDataV2, badUnknownUser],
})

const readOwnProfile = {
  compatible: true,
  method: 'GET',
  summary:
    "Read the caller's team, with a fresh team token. Other sites get neither team token nor permissions.",
  auth: 'required',
  shows: [],
  limitedTo: ['challenges', 'scoreboard'],
  scope: 'read',
  secret: true,
} as const

export const readOwnProfileV1 = route({
  ...readOwnProfile,
  path: '/api/v1/users/me',
  limits: [],
  replies: [goodUserSelfDataV1, badToken],
})
export const readOwnProfileV2 = route({
  ...readOwnProfile,
  path: '/api/v2/users/me',
  limits: [],
  replies: [goodUserSelfDataV2, badToken],
})

export const readOwnResults = route({
  method: 'GET',
  path: '/api/v2/users/me/results',
  summary: "Read the caller's team with its solves and ranks, in a short body with an ETag.",
  auth: 'required',
  shows: [],
  limitedTo: ['challenges', 'scoreboard'],
  scope: 'read',
  limits: [],
  replies: [goodOwnResults, badToken],
})

export const ProfilePatchV1 = z.object({
  name: TeamName.optional(),
  division: z.string().meta({ maxLength: 255 }).optional(),
})
export const ProfilePatchV2 = ProfilePatchV1.extend({
  countryCode: CountryCode.nullable().optional(),
  statusText: StatusText.nullable().optional(),
})

const updateProfile = {
  compatible: true,
  method: 'PATCH',
  summary: "Change the name, division and profile of the caller's team: all of it or nothing.",
  auth: 'required',
  scope: 'profile',
} as const
const updateReplies = [badName, badToken, badDivisionNotAllowed, badKnownName] as const

export const updateProfileV1 = route({
  ...updateProfile,
  path: '/api/v1/users/me',
  body: ProfilePatchV1,
  limits: [],
  handlerLimits: ['profileNames', 'accountChanges'],
  replies: [goodUserUpdateV1, ...updateReplies],
})
export const updateProfileV2 = route({
  ...updateProfile,
  path: '/api/v2/users/me',
  body: ProfilePatchV2,
  limits: [],
  handlerLimits: ['profileNames', 'accountChanges'],
  replies: [goodUserUpdateV2, ...updateReplies, badDivisionChangeEnded],
})

const setEmail = {
  compatible: true,
  method: 'PUT',
  summary:
    "Change the email address of the caller's team. If mail is configured, the new address must confirm it.",
  auth: 'required',
  scope: null,
  captainOnly: true,
} as const
const setEmailReplies = [
  goodVerifySent,
  goodEmailSet,
  badEmail,
  badToken,
  badPerms,
  badEmailChangeDivision,
  badKnownEmail,
  badUnknownUser,
] as const

export const setEmailV1 = route({
  ...setEmail,
  path: '/api/v1/users/me/auth/email',
  captcha: { action: 'setEmail', field: 'legacyCaptchaCode' },
  body: z.object({ email: Email, legacyCaptchaCode: z.string().optional() }),
  limits: ['accountChanges'],
  handlerLimits: ['mailsToAddress'],
  replies: setEmailReplies,
})
export const setEmailV2 = route({
  ...setEmail,
  path: '/api/v2/users/me/auth/email',
  captcha: { action: 'setEmail', field: 'captchaCode' },
  body: z.object({ email: Email, captchaCode: z.string().optional() }),
  limits: ['accountChanges'],
  handlerLimits: ['mailsToAddress'],
  replies: setEmailReplies,
})

export const removeEmail = route({
  method: 'DELETE',
  path: '/api/v1/users/me/auth/email',
  summary: "Remove the email address of the caller's team, if the ranking site remains to sign in with.",
  auth: 'required',
  scope: null,
  captainOnly: true,
  limits: ['accountChanges'],
  compatible: true,
  replies: [goodEmailRemoved, badToken, badPerms, badEndpoint, badEmailNoExists, badZeroAuth, badUnknownUser],
})

export const signOutEverywhere = route({
  method: 'POST',
  path: '/api/v2/users/me/sign-out-everywhere',
  summary:
    "Invalidate all tokens of the caller's team, including the team token and those of other sites, and return new ones.",
  auth: 'required',
  scope: null,
  captainOnly: true,
  secret: true,
  limits: ['accountChanges'],
  replies: [goodSignOutEverywhere, badToken, badPerms, badRateLimit],
})

export const listMembers = route({
  method: 'GET',
  path: '/api/v1/users/me/members',
  summary: "List the members of the caller's team.",
  auth: 'required',
  shows: [],
  scope: 'read',
  limits: ['teamReads'],
  compatible: true,
  replies: [goodMemberData, badEndpoint],
})
export const createMember = route({
  method: 'POST',
  path: '/api/v1/users/me/members',
  summary: "Add a member to the caller's team.",
  auth: 'required',
  scope: 'profile',
  body: z.object({ email: Email }),
  limits: ['teamWrites'],
  compatible: true,
  replies: [goodMemberCreate, badEmail, badToken, badEndpoint, badTooManyMembers, badKnownEmail],
})
export const deleteMember = route({
  method: 'DELETE',
  path: '/api/v1/users/me/members/:id',
  summary: "Remove a member of the caller's team.",
  auth: 'required',
  scope: 'profile',
  params: z.object({ id: z.string() }),
  limits: ['teamWrites'],
  compatible: true,
  replies: [goodMemberDelete, badEndpoint],
})

export const teamRouteList: readonly Route[] = [
  readProfileV1,
  readProfileV2,
  readOwnProfileV1,
  readOwnProfileV2,
  readOwnResults,
  updateProfileV1,
  updateProfileV2,
  setEmailV1,
  setEmailV2,
  removeEmail,
  signOutEverywhere,
  listMembers,
  createMember,
  deleteMember,
]
