import { z } from 'zod'
import { EndpointKind } from './instances.ts'
import { ChallengeId } from './fields.ts'
import { badBody, badEndpoint, badJson, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// What the admin-bot worker asks of the service (contract, admin C). Its token is the provider's secret key.

export const maxLogsLength = 1_048_576

const maxLeaseTokenLength = 255
const LeaseToken = z.string().min(1).max(maxLeaseTokenLength)

/** Ours: a worker that asks for it holds its job only as long as it renews, and another does it when it dies. */
export const JobLease = z.object({
  /** Which attempt this is. Renewing and ending the job take it. */
  token: LeaseToken,
  milliseconds: z.int(),
})

/** Where a part of the team's instance is reached; unlike participants, the bot sees all of them. */
export const BotInstance = z.object({
  type: EndpointKind,
  host: z.string(),
  port: z.int(),
  title: z.string().optional(),
})

export const PulledJob = z.object({
  id: z.string(),
  challengeId: z.string(),
  configRevision: z.string(),
  userId: z.string(),
  submittedAt: z.string(),
  /** The first of the team's flags, empty when the challenge has none to give. */
  flag: z.string(),
  flags: z.array(z.object({ provider: z.string(), flag: z.string() })),
  inputs: z.record(z.string(), z.string()),
  instancerInstances: z.array(BotInstance),
  /** Absent when the worker asked for none. */
  lease: JobLease.optional(),
})

export const goodAdminBotJobPull = reply(
  200,
  'goodAdminBotJobPull',
  'Next job.',
  z.object({ job: PulledJob.nullable() }),
)
export const goodAdminBotChallengeSource = reply(
  200,
  'goodAdminBotChallengeSource',
  'Job source.',
  z.object({ sourceCode: z.string(), configRevision: z.string() }),
)
export const goodAdminBotJobUpdate = reply(
  200,
  'goodAdminBotJobUpdate',
  'The job was updated.',
  z.object({ ok: z.boolean() }),
)
export const goodAdminBotJobRenewed = reply(
  200,
  'goodAdminBotJobRenewed',
  'The lease was renewed.',
  z.object({ milliseconds: z.int() }),
)
export const goodAdminBotQueueDepth = reply(
  200,
  'goodAdminBotQueueDepth',
  'Queue depth.',
  z.object({ depth: z.int() }),
)

const path = '/api/v2/admin/admin-bot'

export const pullAdminBotJob = route({
  method: 'POST',
  path: `${path}/jobs/pull`,
  summary:
    'Hands out the oldest queued job, which runs from then on. Jobs whose worker is gone fail first, or are queued again when it held them by a lease.',
  auth: 'service',
  secret: true,
  query: z.object({ lease: z.literal('true').optional() }),
  replies: [goodAdminBotJobPull, badBody, badToken, badEndpoint],
})

export const readAdminBotSource = route({
  method: 'GET',
  path: `${path}/challenges/:id/source`,
  summary: 'Reads the code of a revision, or the present one when that revision is not known.',
  auth: 'service',
  params: z.object({ id: ChallengeId }),
  query: z.object({ revision: z.string().max(255).optional() }),
  replies: [goodAdminBotChallengeSource, badBody, badToken, badEndpoint],
})

const finish = {
  method: 'POST',
  auth: 'service',
  params: z.object({ id: z.string().min(1).max(255) }),
  body: z.object({
    logs: z.string().max(maxLogsLength).optional(),
    /** A job that is held by a lease ends by it alone. */
    lease: LeaseToken.optional(),
  }),
  // A character of the logs can take six bytes in JSON.
  bodyCap: 'admin',
  replies: [goodAdminBotJobUpdate, badBody, badJson, badToken, badEndpoint],
} as const

export const completeAdminBotJob = route({
  ...finish,
  path: `${path}/jobs/:id/complete`,
  summary: 'Ends a running job that went well.',
})

export const failAdminBotJob = route({
  ...finish,
  path: `${path}/jobs/:id/fail`,
  summary: 'Ends a running job that could not be done.',
})

export const renewAdminBotJob = route({
  method: 'POST',
  path: `${path}/jobs/:id/renew`,
  summary: 'Renews the lease of a running job. Who is answered badEndpoint has lost it and must stop.',
  auth: 'service',
  params: z.object({ id: z.string().min(1).max(255) }),
  body: z.object({ lease: LeaseToken }),
  replies: [goodAdminBotJobRenewed, badBody, badJson, badToken, badEndpoint],
})

export const readAdminBotQueue = route({
  method: 'GET',
  path: `${path}/queue-depth`,
  summary: 'Counts the queued jobs, for whoever decides how many workers run.',
  auth: 'service',
  replies: [goodAdminBotQueueDepth, badToken, badEndpoint],
})

export const adminBotWorkerRouteList = [
  pullAdminBotJob,
  readAdminBotSource,
  completeAdminBotJob,
  failAdminBotJob,
  renewAdminBotJob,
  readAdminBotQueue,
] as const
