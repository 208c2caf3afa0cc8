import { z } from 'zod'
import { TeamId } from './fields.ts'
import { MAX_PERMISSIONS, allPermissions } from './permissions.ts'
import * as shared from './replies.ts'
import { organiserRoute, reply } from './route.ts'

// Who may do what: docs/reference/administration.md#organisers

const { badPerms, badUnknownUser } = shared

export const Organiser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  perms: z.int(),
})

export const goodOrganisers = reply(
  200,
  'goodOrganisers',
  'Teams with permissions.',
  z.object({ organisers: z.array(Organiser) }),
)
export const goodOrganiserUpdate = reply(
  200,
  'goodOrganiserUpdate',
  'The permissions are set. After a change, earlier tokens of the team are invalid.',
  /** A team token, if the permissions changed: the team signs in with it. */
  z.object({ token: z.string().nullable() }),
)
export const badLastOwner = reply(409, 'badLastOwner', 'The last team with all permissions must keep them.')

export const listOrganisers = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/organisers',
  perms: allPermissions,
  scope: 'organise:read',
  summary: 'The teams with permissions, by name.',
  replies: [goodOrganisers],
})

export const setOrganiser = organiserRoute({
  method: 'PUT',
  path: '/api/v2/admin/organisers/:id',
  perms: allPermissions,
  scope: null,
  params: z.object({ id: TeamId }),
  summary: 'Sets the permissions of a team; 0 removes all of them.',
  body: z.object({ data: z.object({ perms: z.int().min(0).max(MAX_PERMISSIONS) }) }),
  bodyCap: 'admin',
  replies: [goodOrganiserUpdate, badPerms, badUnknownUser, badLastOwner],
})

export const adminOrganiserRouteList = [listOrganisers, setOrganiser] as const
