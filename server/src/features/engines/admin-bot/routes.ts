import {
  goodAdminBotConfig,
  goodAdminBotJobHistory,
  goodAdminBotJobLogs,
  goodAdminBotJobStatus,
  goodAdminBotStatus,
  listAdminBotJobs,
  readAdminBotConfig,
  readAdminBotJob,
  readAdminBotLogs,
  readAdminBotStatus,
  submitAdminBotJob,
} from '@pennant/contract/admin-bot.ts'
import { badChallenge, badEndpoint } from '@pennant/contract/replies.ts'
import { actingOf, on, type Endpoint } from '../../../http/handler.ts'
import type { AdminBot } from '../../../providers/admin-bot/admin-bot.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../../contest/challenges/rules.ts'
import type { Caller } from '../../contest/challenges/visible.ts'
import { botSettings } from './settings.ts'
import { findActiveJob, findLogs, listFinishedJobs } from './store.ts'
import { submitJob, type SubmitDeps } from './submit.ts'
import { activeJob, finishedJob } from './views.ts'
import { adminBotWorkerRoutes, type AdminBotWorkerDeps } from './worker-routes.ts'

export interface AdminBotDeps extends SubmitDeps, AdminBotWorkerDeps {
  readonly world: () => WorldView
  /** Null if no admin bot is configured. */
  readonly adminBot: AdminBot | null
}

export function adminBotRoutes(deps: AdminBotDeps): Endpoint[] {
  return [...participantRoutes(deps), ...jobRoutes(deps), ...adminBotWorkerRoutes(deps)]
}

/** Checks shared by all participant routes. */
function finder({ world, adminBot }: AdminBotDeps) {
  return (id: string, caller: Caller) => {
    if (!adminBot) return { refused: badEndpoint() } as const
    const challenge: Challenge | null = findPublicChallenge(world(), id, caller)
    return challenge ? ({ challenge, adminBot } as const) : ({ refused: badChallenge() } as const)
  }
}

function participantRoutes(deps: AdminBotDeps): Endpoint[] {
  const { adminBot } = deps
  const find = finder(deps)
  return [
    on(readAdminBotConfig, ({ params, team }) => {
      const found = find(params.id, team)
      if ('refused' in found) return found.refused
      const settings = botSettings(found.challenge)
      if (!settings) return badEndpoint()
      return goodAdminBotConfig({ sourceCode: settings.code, fileExtension: found.adminBot.fileExtension })
    }),

    on(submitAdminBotJob, async ({ params, body: { inputs }, team, ip }) => {
      const found = find(params.id, team)
      if ('refused' in found) return found.refused
      const sender = { teamId: team.id, by: actingOf(team), ip }
      return await submitJob(deps, { challenge: found.challenge, ...sender, inputs })
    }),

    on(readAdminBotStatus, () => {
      if (!adminBot) return badEndpoint()
      return goodAdminBotStatus({ enabled: true, configLanguage: adminBot.configLanguage })
    }),
  ]
}

function jobRoutes(deps: AdminBotDeps): Endpoint[] {
  const { db } = deps
  const find = finder(deps)
  return [
    on(readAdminBotJob, async ({ params: { id }, team }) => {
      const found = find(id, team)
      if ('refused' in found) return found.refused
      if (!found.challenge.adminBotConfig) return goodAdminBotJobStatus({ job: null })
      const job = await findActiveJob(db, { teamId: team.id, challengeId: id })
      return goodAdminBotJobStatus({ job: job && activeJob(job) })
    }),

    on(listAdminBotJobs, async ({ params: { id }, team }) => {
      const found = find(id, team)
      if ('refused' in found) return found.refused
      if (!found.challenge.adminBotConfig) return badChallenge()
      const jobs = await listFinishedJobs(db, { teamId: team.id, challengeId: id })
      return goodAdminBotJobHistory({ jobs: jobs.map(finishedJob) })
    }),

    on(readAdminBotLogs, async ({ params: { id, jobId }, team }) => {
      const found = find(id, team)
      if ('refused' in found) return found.refused
      if (!found.challenge.adminBotConfig) return badChallenge()
      const logs = await findLogs(db, { jobId, teamId: team.id, challengeId: id })
      return goodAdminBotJobLogs({ logs })
    }),
  ]
}
