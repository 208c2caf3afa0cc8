import { z } from 'zod'
import { PersonId, PersonName, TeamId, UnixMs } from './fields.ts'
import { badPerson, badTeamFull } from './people.ts'
import { MAX_PERMISSIONS, allPermissions } from './permissions.ts'
import { badEndpoint, badUnknownUser } from './replies.ts'
import { organiserRoute, reply } from './route.ts'
import { badSession } from './sessions.ts'

// People in teams with permissions: docs/operate/roles.md

export const organiserPeopleLimits = { people: 1000, sessions: 1000 }

const OwnPermissions = z
  .int()
  .min(0)
  .max(MAX_PERMISSIONS)
  .nullable()
  .describe('Sum of permission bits, of those that the team has; null for all of the team.')

export const OrganiserPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  team: z.object({ id: z.string(), name: z.string(), perms: z.int() }),
  ownPerms: OwnPermissions,
  perms: z.int().describe('What the person may do, with a second factor if one is demanded.'),
  needsSecondFactor: z.boolean(),
  passkeys: z.int(),
  recoveryCodes: z.int().describe('How many are left.'),
})

export const goodOrganiserPeople = reply(
  200,
  'goodOrganiserPeople',
  'People in teams with permissions.',
  z.object({ people: z.array(OrganiserPerson).max(organiserPeopleLimits.people) }),
)
export const goodOrganiserPersonAdd = reply(
  200,
  'goodOrganiserPersonAdd',
  'The person was created. The link signs in; it is shown only now.',
  z.object({ id: z.string(), link: z.string().describe('A secret, until the person replaces it.') }),
)
export const goodOrganiserPersonUpdate = reply(200, 'goodOrganiserPersonUpdate', 'The permissions are set.')
export const goodSecondFactorReset = reply(
  200,
  'goodSecondFactorReset',
  'Passkeys, recovery codes and sessions of the person are gone.',
)
export const goodOrganiserSessions = reply(
  200,
  'goodOrganiserSessions',
  'Sessions of people in teams with permissions, the most recently used first.',
  z.object({
    sessions: z
      .array(
        z.object({
          id: z.string(),
          person: z.object({ id: z.string(), name: z.string() }),
          teamName: z.string(),
          methods: z.array(z.string()),
          browser: z.string(),
          ip: z.string().nullable(),
          createdAt: UnixMs,
          lastUsedAt: UnixMs,
          expiresAt: UnixMs,
          isCurrent: z.boolean(),
        }),
      )
      .max(organiserPeopleLimits.sessions),
  }),
)
export const goodOrganiserSessionEnd = reply(200, 'goodOrganiserSessionEnd', 'The session has ended.')
export const badOwnPermissions = reply(409, 'badOwnPermissions', 'Another owner has to change this for you.')
export const badNoOrganisers = reply(409, 'badNoOrganisers', 'The team has no permissions.')

const owners = { perms: allPermissions, scope: null } as const
const onePerson = {
  ...owners,
  path: '/api/v2/admin/organiser-people/:id',
  params: z.object({ id: PersonId }),
} as const

export const listOrganiserPeople = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/organiser-people',
  perms: allPermissions,
  scope: 'organise:read',
  summary: 'The people in teams with permissions, and what each may do.',
  replies: [goodOrganiserPeople, badEndpoint],
})

export const addOrganiserPerson = organiserRoute({
  ...owners,
  method: 'POST',
  path: '/api/v2/admin/organisers/:id/people',
  params: z.object({ id: TeamId }),
  summary: 'Creates a person in a team with permissions, and a link with which they sign in.',
  secret: true,
  body: z.object({ data: z.object({ name: PersonName, perms: OwnPermissions }) }),
  bodyCap: 'admin',
  replies: [goodOrganiserPersonAdd, badEndpoint, badUnknownUser, badNoOrganisers, badTeamFull],
})

export const setPersonPermissions = organiserRoute({
  ...onePerson,
  method: 'PUT',
  summary: 'Sets which permissions of the team a person has.',
  body: z.object({ data: z.object({ perms: OwnPermissions }) }),
  bodyCap: 'admin',
  replies: [goodOrganiserPersonUpdate, badEndpoint, badPerson, badOwnPermissions],
})

export const resetSecondFactor = organiserRoute({
  ...onePerson,
  method: 'DELETE',
  path: '/api/v2/admin/organiser-people/:id/second-factor',
  summary: 'Removes the passkeys and recovery codes of a person who lost them, and ends their sessions.',
  replies: [goodSecondFactorReset, badEndpoint, badPerson, badOwnPermissions],
})

export const listOrganiserSessions = organiserRoute({
  ...owners,
  method: 'GET',
  path: '/api/v2/admin/organiser-sessions',
  summary: 'The sessions of people in teams with permissions.',
  replies: [goodOrganiserSessions, badEndpoint],
})

export const endOrganiserSession = organiserRoute({
  ...owners,
  method: 'DELETE',
  path: '/api/v2/admin/organiser-sessions/:id',
  params: z.object({ id: z.string().min(1).max(64) }),
  summary: 'Ends a session of a person in a team with permissions.',
  replies: [goodOrganiserSessionEnd, badEndpoint, badSession],
})

export const organiserPeopleRouteList = [
  listOrganiserPeople,
  addOrganiserPerson,
  setPersonPermissions,
  resetSecondFactor,
  listOrganiserSessions,
  endOrganiserSession,
] as const
