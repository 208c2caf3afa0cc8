import { z } from 'zod'
import { ActingPerson, ActingToken, PersonId, PersonName, TeamId, TeamName, UnixMs } from './fields.ts'
import { AdminPage, AdminSearch } from './filters.ts'
import { badDivisionNotAllowed } from './teams.ts'
import { badRegistrationCode, badRegistrationsDisabled, badRegistrationsFull } from './accounts.ts'
import { badUserPrivileged } from './admin-teams.ts'
import { FieldId, SentAnswers } from './custom-field-schemas.ts'
import { fieldLimits } from './custom-field-values.ts'
import { badFieldAnswers } from './custom-fields.ts'
import * as shared from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'
import { badTrack, badTrackAgent, TrackDeclaration } from './tracks.ts'

// People and their places in teams: docs/reference/people.md

const { badEndpoint, badKnownName, badName, badPerms, badToken, badUnknownUser } = shared

/** Of a join link: 16 letters and digits, 80 bits. */
const JoinCode = z.string().trim().toLowerCase().min(1).max(64)

/** Someone in the own team. */
export const TeamPerson = z.object({
  id: z.string(),
  name: z.string(),
  isCaptain: z.boolean(),
  joinedAt: UnixMs,
})

export const Me = z.object({
  person: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    isCaptain: z.boolean(),
    joinedAt: UnixMs.nullable(),
  }),
  team: z.object({ id: z.string(), name: z.string() }).nullable(),
  perms: z.int().describe('Sum of the permission bits that the person has through the team.'),
  mayCreateTeam: z.boolean(),
  mayJoin: z.boolean().describe('In no team, and teams are not locked.'),
  mayLeave: z.boolean().describe('Teams are not locked, and a captain of others hands over first.'),
})

export const TeamPeople = z.object({
  people: z.array(TeamPerson).describe('The captain first, then in the order in which they joined.'),
  joinCode: z.string().nullable().describe('Of the link that people join by; null while there is none.'),
  maxTeamSize: z.int(),
  isLocked: z.boolean(),
  mayManage: z.boolean().describe('The caller is the captain, or the team itself by its own token.'),
  tokenOff: z.boolean().describe('The own token of the team is refused.'),
})

/** What someone of a team did. `flag`: a correct one. */
export const TeamAction = z.object({
  kind: z.enum(['flag', 'bot', 'hint', 'message', 'start', 'extend', 'stop']),
  challengeId: z.string().nullable().describe('Null for a general question.'),
  challengeName: z.string().nullable(),
  person: ActingPerson.optional(),
  apiToken: ActingToken.optional(),
  at: UnixMs,
})

/** Latest actions that are listed. */
export const ACTIVITY_LENGTH = 100

export const TeamActivity = z.object({
  solvers: z
    .array(z.object({ challengeId: z.string(), person: ActingPerson }))
    .describe('Who solved each challenge; without those that the token of the team solved.'),
  actions: z
    .array(TeamAction)
    .describe(`The latest ${ACTIVITY_LENGTH}, newest first, on challenges that the caller sees.`),
})

export const goodTeamActivity = reply(
  200,
  'goodTeamActivity',
  'What the people of the team did.',
  TeamActivity,
)
export const goodPerson = reply(200, 'goodPerson', 'You.', Me)
export const goodPersonUpdate = reply(200, 'goodPersonUpdate', 'You were updated.', Me)
export const goodTeamPeople = reply(200, 'goodTeamPeople', 'People of your team.', TeamPeople)
export const goodPlace = reply(
  200,
  'goodPlace',
  'You have a place in the team.',
  z.object({ team: z.object({ id: z.string(), name: z.string() }) }),
)
export const goodLeave = reply(200, 'goodLeave', 'You left the team.')
export const goodJoinInfo = reply(
  200,
  'goodJoinInfo',
  'The team of the link.',
  z.object({ teamName: z.string(), isFull: z.boolean(), isLocked: z.boolean() }),
)
export const badJoinCode = reply(404, 'badJoinCode', 'No team has this link, or no longer.')
export const badTeamFull = reply(409, 'badTeamFull', 'The team is full.')
export const badTeamLocked = reply(403, 'badTeamLocked', 'People no longer join or leave teams.')
export const badInTeam = reply(409, 'badInTeam', 'You are in a team already.')
export const badNotInTeam = reply(404, 'badNotInTeam', 'This person is not in your team.')
export const badHandOver = reply(409, 'badHandOver', 'Someone else has to become captain first.')
export const badNoCaptain = reply(409, 'badNoCaptain', 'Without a captain, no one could sign in to the team.')

const ofPerson = { auth: 'person', scope: null, limits: ['personCalls'] } as const

export const readMe = route({
  ...ofPerson,
  method: 'GET',
  path: '/api/v2/people/me',
  shows: [],
  summary: 'Who the caller is, in which team, and what they may do.',
  replies: [goodPerson],
})

export const updateMe = route({
  ...ofPerson,
  method: 'PATCH',
  path: '/api/v2/people/me',
  summary: "Changes the caller's own name.",
  body: z.object({ name: PersonName }),
  limits: ['personChanges'],
  replies: [goodPersonUpdate, badToken],
})

export const createOwnTeam = route({
  ...ofPerson,
  method: 'POST',
  path: '/api/v2/people/team',
  summary: 'Creates a team with the caller as captain.',
  body: z.object({
    name: TeamName.optional().describe('Needed, except in an event for individuals.'),
    division: z.string().max(255).optional(),
    registrationCode: z.string().max(100).optional().describe('Where teams register by code.'),
    fields: SentAnswers.optional().describe('Answers of the team.'),
    personFields: SentAnswers.optional().describe('Answers of the caller.'),
    declared: TrackDeclaration.optional(),
  }),
  limits: ['registrations', 'personChanges'],
  replies: [
    goodPlace,
    badToken,
    badName,
    badKnownName,
    badInTeam,
    badRegistrationsDisabled,
    badRegistrationCode,
    badRegistrationsFull,
    badDivisionNotAllowed,
    badFieldAnswers,
    badTrack,
    badTrackAgent,
  ],
})

export const askJoin = route({
  method: 'POST',
  path: '/api/v2/people/join/info',
  summary: 'Which team a join link leads to.',
  auth: 'public',
  body: z.object({ code: JoinCode }),
  bodyCap: 'account',
  limits: ['signIns'],
  replies: [goodJoinInfo, badEndpoint, badJoinCode],
})

export const joinTeam = route({
  ...ofPerson,
  method: 'POST',
  path: '/api/v2/people/join',
  summary: 'Joins the team of a link.',
  body: z.object({
    code: JoinCode,
    personFields: SentAnswers.optional().describe('Answers of the caller.'),
  }),
  limits: ['signIns', 'personChanges'],
  replies: [
    goodPlace,
    badEndpoint,
    badToken,
    badJoinCode,
    badTeamFull,
    badTeamLocked,
    badInTeam,
    badFieldAnswers,
  ],
})

export const leaveTeam = route({
  ...ofPerson,
  method: 'POST',
  path: '/api/v2/people/leave',
  summary: 'Leaves the team.',
  limits: ['personChanges'],
  replies: [goodLeave, badEndpoint, badTeamLocked, badHandOver, badNotInTeam],
})

const ofTeam = { auth: 'required', scope: null, limits: ['teamWrites'] } as const
const managed = { ...ofTeam, captainOnly: true } as const

export const listTeamPeople = route({
  ...ofTeam,
  method: 'GET',
  path: '/api/v2/people/team',
  shows: [],
  summary: "People of the caller's team, and its join link.",
  secret: true,
  limits: ['teamReads'],
  replies: [goodTeamPeople, badEndpoint, badPerms],
})

export const readTeamActivity = route({
  ...ofTeam,
  method: 'GET',
  path: '/api/v2/people/team/activity',
  shows: [],
  limitedTo: ['challenges'],
  summary: "Who of the caller's team did what.",
  limits: ['teamReads'],
  replies: [goodTeamActivity, badEndpoint, badPerms],
})

export const setJoinLink = route({
  ...managed,
  method: 'PUT',
  path: '/api/v2/people/team/link',
  summary: 'Makes a new join link, or none. The earlier one is invalid.',
  body: z.object({ isOn: z.boolean() }),
  secret: true,
  replies: [goodTeamPeople, badEndpoint, badPerms],
})

export const removeTeamPerson = route({
  ...managed,
  method: 'DELETE',
  path: '/api/v2/people/team/:id',
  summary: 'Removes a person from the team, who is signed in without a team then.',
  params: z.object({ id: PersonId }),
  secret: true,
  replies: [goodTeamPeople, badEndpoint, badPerms, badNotInTeam, badTeamLocked, badHandOver],
})

export const setCaptain = route({
  ...managed,
  method: 'PUT',
  path: '/api/v2/people/team/captain',
  summary: 'Makes someone of the team its captain.',
  body: z.object({ id: PersonId }),
  secret: true,
  replies: [goodTeamPeople, badEndpoint, badPerms, badNotInTeam],
})

export const setOwnToken = route({
  ...managed,
  method: 'PUT',
  path: '/api/v2/people/team/token',
  summary: 'Switches the own token of the team off, so that only its people sign in, or on.',
  body: z.object({ isOn: z.boolean() }),
  secret: true,
  replies: [goodTeamPeople, badEndpoint, badPerms, badNoCaptain],
})

/** A person as organisers see it. */
export const AdminPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  isCaptain: z.boolean(),
  joinedAt: UnixMs.nullable(),
  createdAt: UnixMs,
})

export const goodAdminPeople = reply(
  200,
  'goodAdminPeople',
  'People.',
  z.object({ total: z.int(), people: z.array(AdminPerson) }),
)
export const goodAdminPersonUpdate = reply(
  200,
  'goodAdminPersonUpdate',
  'The person was updated.',
  z.object({ person: AdminPerson }),
)
export const goodAdminPersonSignOut = reply(
  200,
  'goodAdminPersonSignOut',
  'All sessions of the person have ended.',
)
export const goodAdminPersonDelete = reply(200, 'goodAdminPersonDelete', 'The person was deleted.')
export const badPerson = reply(404, 'badPerson', 'No such person.')

const admin = { perms: ['usersWrite'], scope: 'teams:write' } as const
const onePerson = {
  ...admin,
  path: '/api/v2/admin/people/:id',
  params: z.object({ id: PersonId }),
} as const

export const listPeople = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/people',
  summary: 'A page of all people by name. Search looks in names, addresses and names of teams.',
  perms: ['usersWrite'],
  scope: 'teams:read',
  query: AdminPage.extend({
    search: AdminSearch.optional(),
    teamId: TeamId.optional().describe('Only people of this team, the captain first.'),
    field: FieldId.optional().describe('Only people with a certain answer to this field.'),
    answer: z.string().max(fieldLimits.value).default('').describe('As it is stored; empty for no answer.'),
  }),
  replies: [goodAdminPeople, badEndpoint],
})

export const readActivityOf = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/users/:id/activity',
  summary: 'Who of a team did what.',
  perms: ['usersWrite', 'challsRead'],
  scope: 'teams:read',
  params: z.object({ id: TeamId }),
  replies: [goodTeamActivity, badEndpoint, badUnknownUser],
})

export const updatePerson = organiserRoute({
  ...onePerson,
  method: 'PUT',
  summary:
    'Renames a person, moves them to a team or to none, or makes them captain. Also while teams are locked.',
  body: z.object({
    data: z.object({
      name: PersonName.optional(),
      teamId: TeamId.nullable().optional(),
      isCaptain: z.boolean().optional(),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodAdminPersonUpdate, badEndpoint, badPerson, badUnknownUser, badUserPrivileged, badNotInTeam],
})

export const signOutPerson = organiserRoute({
  ...onePerson,
  method: 'POST',
  path: '/api/v2/admin/people/:id/sign-out',
  summary: 'Ends all sessions of a person.',
  scope: null,
  replies: [goodAdminPersonSignOut, badEndpoint, badPerson, badUserPrivileged],
})

export const deletePerson = organiserRoute({
  ...onePerson,
  method: 'DELETE',
  summary: 'Deletes a person, their sessions and ways to sign in. What they did for the team stays.',
  replies: [goodAdminPersonDelete, badEndpoint, badPerson, badUserPrivileged],
})

export const peopleRouteList = [
  readMe,
  updateMe,
  createOwnTeam,
  askJoin,
  joinTeam,
  leaveTeam,
  listTeamPeople,
  readTeamActivity,
  setJoinLink,
  removeTeamPerson,
  setCaptain,
  setOwnToken,
  listPeople,
  readActivityOf,
  updatePerson,
  signOutPerson,
  deletePerson,
] as const
