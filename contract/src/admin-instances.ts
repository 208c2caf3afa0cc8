import { z } from 'zod'
import { ActingPerson, ChallengeId } from './fields.ts'
import { AdminPage } from './filters.ts'
import { badInstancerError, goodInstanceStatus, InstanceStatus } from './instances.ts'
import { badChallenge, badEndpoint } from './replies.ts'
import { organiserRoute, reply } from './route.ts'

// Instances of all teams, for organisers. A Pennant extension: docs/decisions/0017.

export const AdminInstance = z.object({
  instancer: z.string().describe('The name of the instancer in the configuration.'),
  host: z.string().nullable().describe('The machine, if the instancer reports it.'),
  userId: z.string(),
  userName: z.string().nullable().describe('Null for a deleted team.'),
  challengeIntegrationId: z.string(),
  challengeId: z.string().nullable().describe('Null for a deleted challenge.'),
  challengeName: z.string().nullable(),
  status: InstanceStatus.nullable().describe(
    'Null if the instancer cannot list instances: then the instance was started and has not expired.',
  ),
  timeLeftMilliseconds: z.int().nullable(),
  person: ActingPerson.optional().describe(
    'Who of the team started it; absent for the token of the team itself.',
  ),
  restarts: z
    .int()
    .optional()
    .describe('How often a service of a failed instance was restarted; absent otherwise.'),
})

const Capacity = z.object({
  instancer: z.string(),
  host: z.string(),
  used: z.int(),
  max: z.int(),
  isUp: z.boolean(),
  avoidedPorts: z
    .array(z.int())
    .optional()
    .describe(
      'Ports of the machine that did not lead to the instance they were published for; absent without any.',
    ),
})

export const goodAdminInstances = reply(
  200,
  'goodAdminInstances',
  'Instances of all teams.',
  z.object({ total: z.int(), instances: z.array(AdminInstance), hosts: z.array(Capacity) }),
)

export const listAdminInstances = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/instances',
  perms: ['challsRead'],
  scope: 'organise:read',
  summary: 'A page of the instances of all teams, by challenge and team, a few seconds old at most.',
  query: AdminPage,
  replies: [goodAdminInstances, badEndpoint],
})

export const stopAdminInstance = organiserRoute({
  method: 'DELETE',
  path: '/api/v2/admin/challs/:challengeId/instances/:userId',
  perms: ['challsWrite'],
  scope: 'challenges:write',
  summary: "Stops a team's instance of a challenge, hidden challenges included.",
  params: z.object({ challengeId: ChallengeId, userId: z.string().min(1).max(255) }),
  replies: [goodInstanceStatus, badEndpoint, badChallenge, badInstancerError],
})

export const adminInstanceRouteList = [listAdminInstances, stopAdminInstance]
