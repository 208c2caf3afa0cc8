import * as contract from '@pennant/contract/admin-bot.ts'
import { badAdminBotConfig } from '@pennant/contract/admin-challenges.ts'
import { badChallenge, badEndpoint, badToken } from '@pennant/contract/replies.ts'
import { on } from '../handler.ts'
import { auditRow } from '../make-audit.ts'
import { publicChallenge, type MockJob, type World } from '../world.ts'

const QUEUED_MS = 4_000
const RUNS_MS = 10_000
const PLACES = 3

function statusOf({ createdAt, isFailing }: MockJob, now: number) {
  const age = now - createdAt
  if (age < QUEUED_MS) return 'queued'
  if (age < RUNS_MS) return 'running'
  return isFailing ? 'failed' : 'completed'
}

function isActive(world: World, job: MockJob): boolean {
  return world.now() - job.createdAt < RUNS_MS
}

/** Number of queued and running visits, for the dashboard. */
export function countJobs(world: World) {
  const states = world.jobs.map((job) => statusOf(job, world.now()))
  const queued = states.filter((state) => state === 'queued').length
  const running = states.filter((state) => state === 'running').length
  return { queued, running, oldestQueuedMs: queued > 0 ? QUEUED_MS / 2 : 0 }
}

function jobsOf(world: World, teamId: string, challengeId: string): MockJob[] {
  return world.jobs.filter((job) => job.teamId === teamId && job.challengeId === challengeId)
}

function logsOf({ createdAt, isFailing }: MockJob): string {
  const lines = [
    ['info', 'bot', 'Opening https://guest-book.harbour.example/'],
    ['debug', 'page', 'GET / 200, 4,213 bytes, in 38 ms'],
    [
      'info',
      'page',
      'console.log: hello from the guest book, this line is long enough to need wrapping on a phone',
    ],
    ['warn', 'page', 'Cookie “harbour” has no SameSite attribute.'],
    isFailing ? ['error', 'bot', 'Timed out after 30 s.'] : ['info', 'bot', 'Done.'],
  ]
  return lines
    .map(([level, prefix, line], index) =>
      JSON.stringify({ time: new Date(createdAt + index * 400).toISOString(), level, prefix, line }),
    )
    .join('\n')
}

const config = on(contract.readAdminBotConfig, ({ world, params }) => {
  const challenge = publicChallenge(world, params.id)
  if (!challenge) return badChallenge()
  const { code } = challenge.adminBotConfig ?? {}
  return code === undefined
    ? badEndpoint()
    : contract.goodAdminBotConfig({ sourceCode: code, fileExtension: 'ts' })
})

const submit = on(contract.submitAdminBotJob, ({ world, team, params, body }) => {
  if (!team) return badToken()
  const inputs = publicChallenge(world, params.id)?.adminBotConfig?.inputs
  if (!inputs) return badChallenge()
  for (const [name, { pattern }] of Object.entries(inputs))
    if (!new RegExp(pattern).test(body.inputs[name] ?? ''))
      return badAdminBotConfig({ error: `The input ${name} does not fit ${pattern}.` })
  if (jobsOf(world, team.id, params.id).some((job) => isActive(world, job)))
    return badAdminBotConfig({ error: 'Your team has a job on this challenge already.' })
  const job = {
    id: world.nextId('job'),
    teamId: team.id,
    challengeId: params.id,
    createdAt: world.now(),
    isFailing: false,
  }
  world.jobs.push(job)
  const details = { inputs: body.inputs, configRevision: 'c0ffee42' }
  const attempt = { team, challengeId: params.id, result: 'queued', details, relatedId: job.id } as const
  world.submissions.unshift(auditRow(world, { ...attempt, createdAt: job.createdAt }))
  return contract.goodAdminBotJobSubmitted({ jobId: job.id })
})

const status = on(contract.readAdminBotJob, ({ world, team, params }) => {
  if (!team) return badToken()
  const job = jobsOf(world, team.id, params.id).find((each) => isActive(world, each))
  if (!job) return contract.goodAdminBotJobStatus({ job: null })
  const state = statusOf(job, world.now())
  const passed = ((world.now() - job.createdAt) / QUEUED_MS) * PLACES
  return contract.goodAdminBotJobStatus({
    job: {
      id: job.id,
      status: state,
      createdAt: new Date(job.createdAt).toISOString(),
      queuePosition: state === 'queued' ? Math.max(1, PLACES - Math.floor(passed)) : null,
      logs: null,
    },
  })
})

const history = on(contract.listAdminBotJobs, ({ world, team, params }) => {
  if (!team) return badToken()
  const jobs = jobsOf(world, team.id, params.id).filter((job) => !isActive(world, job))
  return contract.goodAdminBotJobHistory({
    jobs: jobs.toReversed().map((job) => ({
      id: job.id,
      status: statusOf(job, world.now()),
      createdAt: new Date(job.createdAt).toISOString(),
      hasLogs: true,
    })),
  })
})

const logs = on(contract.readAdminBotLogs, ({ world, team, params }) => {
  const job = jobsOf(world, team?.id ?? '', params.id).find(({ id }) => id === params.jobId)
  return contract.goodAdminBotJobLogs({ logs: job ? logsOf(job) : null })
})

const enabled = on(contract.readAdminBotStatus, () =>
  contract.goodAdminBotStatus({ enabled: true, configLanguage: 'typescript' }),
)

export const adminBotEndpoints = [config, submit, status, history, logs, enabled]
