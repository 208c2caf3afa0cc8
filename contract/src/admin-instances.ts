import { z } from 'zod'
import { ChallengeId } from './fields.ts'
import { AdminPage } from './filters.ts'
import { badInstancerError, goodInstanceStatus, InstanceStatus } from './instances.ts'
import { badBody, badChallenge, badEndpoint, badPerms, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// Instances of all teams, for organisers. An addition of ours: docs/decisions/0017.

export const AdminInstance = z.object({
  /** The name of the instancer in the configuration. */
  instancer: z.string(),
  /** The machine, where the instancer tells. */
  host: z.string().nullable(),
  userId: z.string(),
  /** Null for a team that was deleted. */
  userName: z.string().nullable(),
  challengeIntegrationId: z.string(),
  /** Null for a challenge that is gone. */
  challengeId: z.string().nullable(),
  challengeName: z.string().nullable(),
  /** Null where the instancer cannot list: then the instance was started and is not over. */
  status: InstanceStatus.nullable(),
  timeLeftMilliseconds: z.int().nullable(),
})

const Capacity = z.object({
  instancer: z.string(),
  host: z.string(),
  used: z.int(),
  max: z.int(),
  isUp: z.boolean(),
})

export const goodAdminInstances = reply(
  200,
  'goodAdminInstances',
  'Instances of all teams.',
  z.object({ total: z.int(), instances: z.array(AdminInstance), hosts: z.array(Capacity) }),
)

export const listAdminInstances = route({
  method: 'GET',
  path: '/api/v2/admin/instances',
  auth: 'required',
  perms: ['challsRead'],
  summary: 'A page of the instances of all teams, by challenge and team, a few seconds old at most.',
  query: AdminPage,
  replies: [goodAdminInstances, badBody, badToken, badPerms, badEndpoint],
})

export const stopAdminInstance = route({
  method: 'DELETE',
  path: '/api/v2/admin/challs/:challengeId/instances/:userId',
  auth: 'required',
  perms: ['challsWrite'],
  summary: "Stops a team's instance of a challenge, hidden challenges included.",
  params: z.object({ challengeId: ChallengeId, userId: z.string().min(1).max(255) }),
  replies: [goodInstanceStatus, badBody, badToken, badPerms, badEndpoint, badChallenge, badInstancerError],
})

export const adminInstanceRouteList = [listAdminInstances, stopAdminInstance]
