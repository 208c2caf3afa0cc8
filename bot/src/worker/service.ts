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
      const response = await call(pullAdminBotJob, { ...signed, query: { lease: 'true' } })
      if (response.kind === 'goodAdminBotJobPull') return response.data.job
      throw new Error(response.kind === 'badToken' ? 'the server rejected SECRET_KEY' : response.kind)
    },

    async readSource(id, revision) {
      const response = await call(readAdminBotSource, { ...signed, params: { id }, query: { revision } })
      if (response.kind === 'goodAdminBotChallengeSource') return response.data
      throw new Error(response.kind)
    },

    async renew({ id, lease }) {
      // Without a lease there is nothing to renew, and the job cannot be lost.
      if (!lease) return true
      const response = await call(renewAdminBotJob, {
        ...signed,
        params: { id },
        body: { lease: lease.token },
      })
      if (response.kind === 'goodAdminBotJobRenewed' || response.kind === 'badEndpoint')
        return response.kind !== 'badEndpoint'
      throw new Error(response.kind)
    },

    async finish({ id, lease }, { ends, logs }) {
      const route = ends === 'completed' ? completeAdminBotJob : failAdminBotJob
      const body = { ...(logs !== undefined && { logs }), ...(lease && { lease: lease.token }) }
      const response = await call(route, { ...signed, params: { id }, body })
      if (response.kind === 'goodAdminBotJobUpdate' || response.kind === 'badEndpoint')
        return response.kind !== 'badEndpoint'
      throw new Error(response.kind)
    },
  }
}
