import { z } from 'zod'
import { badAdminBotConfig } from './admin-challenges.ts'
import { CaptchaCode, ChallengeId } from './fields.ts'
import { badChallenge, badEndpoint, badRateLimit, badToken } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Admin-bot jobs of participants (docs/reference/admin-bot.md#admin-bot-routes), and the one route of
// organisers.

export const JobStatus = z.enum(['queued', 'running', 'completed', 'failed'])

const MAX_INPUT_NAME_LENGTH = 256
const MAX_INPUT_LENGTH = 1024
/** The most inputs that an author may ask for, 100, filled with ASCII. */
const MAX_INPUTS_BYTES = 128 * 1024

export const ActiveJob = z.object({
  id: z.string(),
  status: JobStatus,
  createdAt: z.string().describe('ISO 8601.'),
  queuePosition: z
    .int()
    .nullable()
    .describe('1-based, over the jobs of all challenges; null while the job runs.'),
  logs: z.string().nullable(),
})

export const FinishedJob = z.object({
  id: z.string(),
  status: JobStatus,
  createdAt: z.string().describe('ISO 8601.'),
  hasLogs: z.boolean(),
})

export const goodAdminBotConfig = reply(
  200,
  'goodAdminBotConfig',
  'Admin-bot source.',
  z.object({ sourceCode: z.string(), fileExtension: z.string() }),
)
export const goodAdminBotJobSubmitted = reply(
  200,
  'goodAdminBotJobSubmitted',
  'The job was queued.',
  z.object({ jobId: z.string() }),
)
export const goodAdminBotJobStatus = reply(
  200,
  'goodAdminBotJobStatus',
  'Job status.',
  z.object({ job: ActiveJob.nullable() }),
)
export const goodAdminBotJobHistory = reply(
  200,
  'goodAdminBotJobHistory',
  'Finished jobs.',
  z.object({ jobs: z.array(FinishedJob) }),
)
export const goodAdminBotJobLogs = reply(
  200,
  'goodAdminBotJobLogs',
  'Job logs.',
  z.object({ logs: z.string().nullable() }),
)
export const goodAdminBotStatus = reply(
  200,
  'goodAdminBotStatus',
  'Admin-bot provider state.',
  z.object({ enabled: z.boolean(), configLanguage: z.string() }),
)
export const badInstancerState = reply(
  400,
  'badInstancerState',
  'The instance is not in the needed state.',
  z.object({ error: z.string() }),
)

const PATH = '/api/v2/integrations/challs/:id/admin-bot'
const gated = {
  compatible: true,
  gate: { started: 'challsRead' },
  shows: ['challenges'],
  params: z.object({ id: ChallengeId }),
} as const
const ofTeam = { ...gated, auth: 'required', scope: 'instances', notBanned: true } as const

export const readAdminBotConfig = route({
  ...gated,
  method: 'GET',
  path: `${PATH}/config`,
  summary: 'Shows the code that the admin bot runs.',
  auth: 'public',
  scope: 'read',
  personal: true,
  limits: [],
  replies: [goodAdminBotConfig, badEndpoint, badChallenge],
})

export const submitAdminBotJob = route({
  ...ofTeam,
  method: 'POST',
  path: PATH,
  summary: 'Sends the admin bot on a visit. A team has one job at a time on a challenge.',
  captcha: { action: 'adminBotSubmit', field: 'captchaCode' },
  body: z.object({
    inputs: z
      .record(z.string().max(MAX_INPUT_NAME_LENGTH), z.string().max(MAX_INPUT_LENGTH))
      .meta({ 'x-maxBytes': MAX_INPUTS_BYTES })
      .describe('Names that the challenge does not configure are ignored.'),
    captchaCode: CaptchaCode,
  }),
  limits: ['teamWrites'],
  handlerLimits: ['botJobs'],
  replies: [
    goodAdminBotJobSubmitted,
    badToken,
    badEndpoint,
    badChallenge,
    badAdminBotConfig,
    badInstancerState,
    badRateLimit,
  ],
})

const readReplies = [badEndpoint, badChallenge] as const

export const readAdminBotJob = route({
  ...ofTeam,
  method: 'GET',
  path: `${PATH}/status`,
  summary: "Reads the team's queued or running job.",
  limits: ['teamReads'],
  replies: [goodAdminBotJobStatus, ...readReplies],
})

export const listAdminBotJobs = route({
  ...ofTeam,
  method: 'GET',
  path: `${PATH}/history`,
  summary: "Lists the team's finished jobs, newest first, as far back as logs are kept.",
  limits: ['teamReads'],
  replies: [goodAdminBotJobHistory, ...readReplies],
})

export const readAdminBotLogs = route({
  ...ofTeam,
  method: 'GET',
  path: `${PATH}/jobs/:jobId/logs`,
  summary: "Reads what one of the team's jobs wrote; null when nothing of it is kept.",
  params: z.object({ id: ChallengeId, jobId: z.string().min(1).max(255) }),
  limits: ['teamReads'],
  replies: [goodAdminBotJobLogs, ...readReplies],
})

export const readAdminBotStatus = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/admin-bot/status',
  summary: 'Reports that an admin bot is configured, and the language of its sources.',
  perms: ['challsRead'],
  scope: 'organise:read',
  compatible: true,
  replies: [goodAdminBotStatus, badEndpoint],
})

export const adminBotRouteList = [
  readAdminBotConfig,
  submitAdminBotJob,
  readAdminBotJob,
  listAdminBotJobs,
  readAdminBotLogs,
  readAdminBotStatus,
] as const
