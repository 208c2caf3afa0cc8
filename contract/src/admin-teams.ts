import { z } from 'zod'
import { FieldId } from './custom-field-schemas.ts'
import { fieldLimits } from './custom-field-values.ts'
import { eligibilityLimits } from './eligibility.ts'
import { CountryCode, Email, StatusText, TeamId, TeamName } from './fields.ts'
import { AdminPage, AdminSearch, filterOf, SortOrder } from './filters.ts'
import * as shared from './replies.ts'
import { organiserRoute, reply } from './route.ts'
import { profileMarks, TrackQuery } from './tracks.ts'

// Organisers' routes for teams: docs/reference/administration.md#reading-and-changing-a-team

const { badName, badEmail, badKnownName, badKnownEmail, badUnknownUser } = shared

export const TeamStatus = z.enum(['active', 'banned', 'admin'])
export const TeamSort = z.enum(['createdAt', 'team', 'email', 'division', 'score', 'solves', 'status'])

export const AdminTeam = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  division: z.string(),
  perms: z.int(),
  banned: z.boolean(),
  score: z.int(),
  solveCount: z.int().describe('Every challenge that the team solved or has points on, hidden ones too.'),
  avatarUrl: z.string().nullable(),
  countryCode: z.string().nullable(),
  statusText: z.string().nullable(),
  createdAt: z.iso.datetime(),
})

const TeamSolve = z.object({
  challengeId: z.string(),
  challengeName: z.string(),
  challengeCategory: z.string(),
  createdAt: z.iso.datetime(),
})

/** Includes the team's solves, oldest first. */
export const AdminTeamDetail = AdminTeam.extend({
  solves: z.array(TeamSolve),
  tokenOff: z.literal(true).optional().describe('The own token of the team is refused. Absent otherwise.'),
  ...profileMarks,
})

export const goodAdminUsers = reply(
  200,
  'goodAdminUsers',
  'Teams.',
  z.object({ total: z.int(), users: z.array(AdminTeam) }),
)
export const goodAdminUser = reply(200, 'goodAdminUser', 'One team.', AdminTeamDetail)
export const goodAdminUserCreate = reply(
  200,
  'goodAdminUserCreate',
  'The team was created.',
  /** A team token: the team signs in with it. */
  z.object({ id: z.string(), token: z.string() }),
)
export const goodAdminUserUpdate = reply(200, 'goodAdminUserUpdate', 'The team was updated.')
export const goodAdminUserDelete = reply(200, 'goodAdminUserDelete', 'The team was deleted.')
export const goodCreateUserToken = reply(
  200,
  'goodCreateUserToken',
  'Team token issued.',
  z.object({ token: z.string() }),
)
export const goodAdminUserSignOut = reply(
  200,
  'goodAdminUserSignOut',
  'All earlier tokens of the team are invalid.',
)
export const goodAllChallengeSolvesDelete = reply(
  200,
  'goodAllChallengeSolvesDelete',
  'All solves of the team were deleted.',
)
export const badUserPrivileged = reply(403, 'badUserPrivileged', 'Admin teams cannot be changed here.')

const TeamListQuery = AdminPage.extend({
  search: AdminSearch.optional(),
  sortBy: TeamSort.default('createdAt').describe('Field of the order.'),
  sortOrder: SortOrder.default('asc'),
})

export const TeamListFilter = z.object({
  status: filterOf(TeamStatus),
  division: filterOf(z.string().max(255)),
  fields: z
    .array(z.object({ field: FieldId, value: filterOf(z.string().max(fieldLimits.value)) }))
    .max(fieldLimits.fields)
    .optional()
    .describe('Answers of teams; of people, any in the team counts. An empty text stands for no answer.'),
  eligibility: z
    .array(z.object({ rule: FieldId, result: filterOf(z.enum(['eligible', 'not', 'unknown', 'none'])) }))
    .max(eligibilityLimits.rules)
    .optional()
    .describe('Results of rules; `none` for teams that a rule is not about.'),
})

const list = {
  compatible: true,
  path: '/api/v2/admin/users',
  perms: ['usersWrite'],
  scope: 'teams:read',
  query: TeamListQuery,
} as const

export const listTeams = organiserRoute({
  ...list,
  method: 'GET',
  summary: 'A page of all teams. Search looks in names and addresses.',
  replies: [goodAdminUsers],
})

export const filterTeams = organiserRoute({
  ...list,
  method: 'POST',
  summary: 'A page of the teams that pass the filters.',
  body: TeamListFilter,
  publicDemo: true,
  bodyCap: 'admin',
  replies: [goodAdminUsers],
})

const one = {
  path: '/api/v2/admin/users/:id',
  perms: ['usersWrite'],
  params: z.object({ id: TeamId }),
} as const

export const readTeam = organiserRoute({
  ...one,
  method: 'GET',
  perms: ['challsRead', 'usersWrite'],
  scope: 'teams:read',
  summary: 'One team with what it solved.',
  query: z.object({ track: TrackQuery }),
  compatible: true,
  replies: [goodAdminUser, badUnknownUser],
})

export const createTeam = organiserRoute({
  method: 'POST',
  path: '/api/v2/admin/teams',
  perms: ['usersWrite'],
  scope: 'teams:write',
  summary: 'Creates a team of players, also while registration is closed, and a token that signs in as it.',
  body: z.object({ data: z.object({ name: TeamName, email: Email, division: z.string().max(255) }) }),
  bodyCap: 'admin',
  secret: true,
  replies: [goodAdminUserCreate, badName, badEmail, badKnownName, badKnownEmail],
})

/** What an organiser may change of a team. Null clears the value. */
export const AdminTeamPatch = z.object({
  banned: z.boolean().optional(),
  name: TeamName.optional(),
  division: z.string().max(255).optional(),
  countryCode: CountryCode.nullable().optional(),
  statusText: StatusText.nullable().optional(),
  tokenOff: z
    .boolean()
    .optional()
    .describe('Refuses the own token of the team, so that only its people sign in.'),
})

export const updateTeam = organiserRoute({
  ...one,
  method: 'PUT',
  summary: 'Changes, bans or unbans a team without permissions. All of it or nothing.',
  scope: 'teams:write',
  body: z.object({ data: AdminTeamPatch }),
  bodyCap: 'admin',
  compatible: true,
  replies: [goodAdminUserUpdate, badName, badUnknownUser, badUserPrivileged, badKnownName],
})

export const deleteTeam = organiserRoute({
  ...one,
  method: 'DELETE',
  summary: 'Deletes a team without permissions and what it solved. The submission audit stays.',
  scope: 'teams:write',
  compatible: true,
  replies: [goodAdminUserDelete, badUnknownUser, badUserPrivileged],
})

export const createTeamToken = organiserRoute({
  ...one,
  method: 'POST',
  path: '/api/v2/admin/users/:id/token',
  summary: 'A token that signs in as a team without permissions.',
  scope: null,
  secret: true,
  compatible: true,
  replies: [goodCreateUserToken, badUnknownUser, badUserPrivileged],
})

export const signOutTeam = organiserRoute({
  ...one,
  method: 'POST',
  path: '/api/v2/admin/users/:id/sign-out-everywhere',
  summary: 'Makes all tokens of a team without permissions invalid.',
  scope: null,
  replies: [goodAdminUserSignOut, badUnknownUser, badUserPrivileged],
})

export const deleteTeamSolves = organiserRoute({
  method: 'DELETE',
  path: '/api/v2/admin/users/:userId/solves',
  summary: 'Deletes all that a team solved and all points that were pushed for it.',
  perms: ['challsSolveWrite'],
  scope: 'submissions:write',
  params: z.object({ userId: TeamId }),
  compatible: true,
  replies: [goodAllChallengeSolvesDelete],
})

export const adminTeamRouteList = [
  listTeams,
  filterTeams,
  createTeam,
  readTeam,
  updateTeam,
  deleteTeam,
  createTeamToken,
  signOutTeam,
  deleteTeamSolves,
] as const
