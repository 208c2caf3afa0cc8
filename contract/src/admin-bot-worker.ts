import { z } from 'zod'
import { EndpointKind } from './instances.ts'
import { ChallengeId } from './fields.ts'
import { badEndpoint } from './replies.ts'
import { reply, route } from './route.ts'

// Routes of the admin-bot worker, which authenticates with the provider's secret key:
// docs/reference/providers.md#admin-bot-worker-routes

export const MAX_LOGS_LENGTH = 1_048_576

const MAX_LEASE_TOKEN_LENGTH = 255
const LeaseToken = z.string().min(1).max(MAX_LEASE_TOKEN_LENGTH)

/**
 * A Pennant extension: a worker that requests a lease keeps its job only while it renews the lease; when the
 * worker dies, another one repeats the job.
 */
export const JobLease = z.object({
  token: LeaseToken.describe('Identifies the attempt; renewing and finishing the job require it.'),
  milliseconds: z.int(),
})

/** The endpoint of a part of the team's instance. Unlike participants, the bot gets all of them. */
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
  submittedAt: z.string().describe('ISO 8601.'),
  flag: z.string().describe("The first of the team's flags; empty when the challenge has none."),
  flags: z.array(z.object({ provider: z.string(), flag: z.string() })),
  inputs: z.record(z.string(), z.string()),
  instancerInstances: z.array(BotInstance),
  lease: JobLease.optional().describe('Absent unless the worker requested one.'),
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

const PATH = '/api/v2/admin/admin-bot'

export const pullAdminBotJob = route({
  method: 'POST',
  path: `${PATH}/jobs/pull`,
  summary:
    'Hands out the oldest queued job, which runs from then on. Jobs whose worker is gone fail first, or are queued again when it held them by a lease.',
  auth: 'service',
  secret: true,
  query: z.object({ lease: z.literal('true').optional().describe('Requests a lease for the job.') }),
  limits: ['workerCalls'],
  compatible: true,
  replies: [goodAdminBotJobPull],
})

export const readAdminBotSource = route({
  method: 'GET',
  path: `${PATH}/challenges/:id/source`,
  summary: 'Reads the code of a revision, or the present one when that revision is not known.',
  auth: 'service',
  params: z.object({ id: ChallengeId }),
  query: z.object({
    revision: z.string().max(255).optional().describe('Revision of the code that the job runs.'),
  }),
  limits: ['workerCalls'],
  compatible: true,
  replies: [goodAdminBotChallengeSource, badEndpoint],
})

const finish = {
  compatible: true,
  method: 'POST',
  auth: 'service',
  params: z.object({ id: z.string().min(1).max(255) }),
  body: z.object({
    logs: z.string().max(MAX_LOGS_LENGTH).optional(),
    lease: LeaseToken.optional().describe('A job with a lease can only be finished with its token.'),
  }),
  // A character of the logs can take six bytes in JSON.
  bodyCap: 'admin',
  replies: [goodAdminBotJobUpdate, badEndpoint],
} as const

export const completeAdminBotJob = route({
  ...finish,
  path: `${PATH}/jobs/:id/complete`,
  summary: 'Ends a running job that went well.',
  limits: ['workerCalls'],
})

export const failAdminBotJob = route({
  ...finish,
  path: `${PATH}/jobs/:id/fail`,
  summary: 'Ends a running job that could not be done.',
  limits: ['workerCalls'],
})

export const renewAdminBotJob = route({
  method: 'POST',
  path: `${PATH}/jobs/:id/renew`,
  summary: 'Renews the lease of a running job. A worker that gets badEndpoint has lost it and must stop.',
  auth: 'service',
  params: z.object({ id: z.string().min(1).max(255) }),
  body: z.object({ lease: LeaseToken }),
  limits: ['workerCalls'],
  replies: [goodAdminBotJobRenewed, badEndpoint],
})

export const readAdminBotQueue = route({
  method: 'GET',
  path: `${PATH}/queue-depth`,
  summary: 'Counts the queued jobs, for whoever decides how many workers run.',
  auth: 'service',
  limits: ['workerCalls'],
  compatible: true,
  replies: [goodAdminBotQueueDepth],
})

export const adminBotWorkerRouteList = [
  pullAdminBotJob,
  readAdminBotSource,
  completeAdminBotJob,
  failAdminBotJob,
  renewAdminBotJob,
  readAdminBotQueue,
] as const
