import {
  completeAdminBotJob,
  failAdminBotJob,
  pullAdminBotJob,
  readAdminBotSource,
  renewAdminBotJob,
  type PulledJob,
} from '@pennant/contract/admin-bot-worker.ts'
import { createClient } from '@pennant/contract/client.ts'
import type { z } from 'zod'
import type { Config } from '../config.ts'

const CALL_LIMIT_MS = 15_000

export type Job = z.output<typeof PulledJob>

export interface Outcome {
  readonly ends: 'completed' | 'failed'
  /** Absent when there are no logs. */
  readonly logs?: string
}

/** The parts of the contest's API that the worker uses. Each call throws on an unexpected response. */
export interface Service {
  pull(): Promise<Job | null>
  readSource(challengeId: string, revision: string): Promise<{ sourceCode: string; configRevision: string }>
  /** False when the lease is lost. */
  renew(job: Job): Promise<boolean>
  /** False when the lease is lost. */
  finish(job: Job, outcome: Outcome): Promise<boolean>
}

export function createService({
  BASE_URL: baseUrl,
  SECRET_KEY: token,
  EXTRA_HEADERS: headers,
}: Pick<Config, 'BASE_URL' | 'SECRET_KEY' | 'EXTRA_HEADERS'>): Service {
  const call = createClient({
    baseUrl,
    fetch: (url, init) =>
      fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(CALL_LIMIT_MS) }),
  })
  const signed = { token, headers }
  return {
    async pull() {
      const answer = await call(pullAdminBotJob, { ...signed, query: { lease: 'true' } })
      if (answer.kind === 'goodAdminBotJobPull') return answer.data.job
      throw new Error(answer.kind === 'badToken' ? 'the server rejected SECRET_KEY' : answer.kind)
    },

    async readSource(id, revision) {
      const answer = await call(readAdminBotSource, { ...signed, params: { id }, query: { revision } })
      if (answer.kind === 'goodAdminBotChallengeSource') return answer.data
      throw new Error(answer.kind)
    },

    async renew({ id, lease }) {
      // Without a lease there is nothing to renew, and the job cannot be lost.
      if (!lease) return true
      const answer = await call(renewAdminBotJob, { ...signed, params: { id }, body: { lease: lease.token } })
      if (answer.kind === 'goodAdminBotJobRenewed' || answer.kind === 'badEndpoint')
        return answer.kind !== 'badEndpoint'
      throw new Error(answer.kind)
    },

    async finish({ id, lease }, { ends, logs }) {
      const route = ends === 'completed' ? completeAdminBotJob : failAdminBotJob
      const body = { ...(logs !== undefined && { logs }), ...(lease && { lease: lease.token }) }
      const answer = await call(route, { ...signed, params: { id }, body })
      if (answer.kind === 'goodAdminBotJobUpdate' || answer.kind === 'badEndpoint')
        return answer.kind !== 'badEndpoint'
      throw new Error(answer.kind)
    },
  }
}
