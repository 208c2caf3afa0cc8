import {
  completeAdminBotJob,
  failAdminBotJob,
  pullAdminBotJob,
  readAdminBotSource,
  type PulledJob,
} from '@pennant/contract/admin-bot-worker.ts'
import { createClient } from '@pennant/contract/client.ts'
import type { z } from 'zod'
import { sendJson, startHttpService, type HttpService } from './http-service.ts'
import { checkResponse } from './strict.ts'

export type Job = z.output<typeof PulledJob>

export interface Outcome {
  readonly ends: 'completed' | 'failed'
  readonly logs?: string
}

export interface FakeWorker {
  /** Pulls and runs jobs until the queue is empty. */
  drain(): Promise<void>
  /** The jobs that were pulled, with the source code delivered with each. */
  readonly jobs: readonly { readonly job: Job; readonly source: string }[]
}

export interface FakeWorkerOptions {
  readonly url: string
  readonly secretKey: string
  readonly work?: (job: Job) => Outcome
}

/** An admin-bot worker without a browser. It only knows the server's address and the secret. */
export function startFakeWorker(options: FakeWorkerOptions): FakeWorker {
  const { url, secretKey: token, work = (): Outcome => ({ ends: 'completed' }) } = options
  const call = createClient({ baseUrl: url, onResponse: checkResponse })
  const jobs: { job: Job; source: string }[] = []

  async function doNext(): Promise<boolean> {
    const pulled = await call(pullAdminBotJob, { token, query: {} })
    if (pulled.kind !== 'goodAdminBotJobPull') throw new Error(`pull: ${pulled.kind}`)
    const { job } = pulled.data
    if (!job) return false
    const source = await call(readAdminBotSource, {
      token,
      params: { id: job.challengeId },
      query: { revision: job.configRevision },
    })
    if (source.kind !== 'goodAdminBotChallengeSource') throw new Error(`source: ${source.kind}`)
    jobs.push({ job, source: source.data.sourceCode })
    const { ends, logs } = work(job)
    const route = ends === 'completed' ? completeAdminBotJob : failAdminBotJob
    const body = logs === undefined ? {} : { logs }
    const ended = await call(route, { token, params: { id: job.id }, body })
    if (ended.kind !== 'goodAdminBotJobUpdate') throw new Error(`end: ${ended.kind}`)
    return true
  }

  return {
    jobs,
    async drain() {
      while (await doNext());
    },
  }
}

/** The worker's endpoint for checking sources. The result is the source itself, parsed as JSON. */
export function startSourceChecker(secretKey: string): Promise<HttpService> {
  return startHttpService(({ url, method, headers, body }, response) => {
    if (method !== 'POST' || url !== '/v1/test' || headers.authorization !== `Bearer ${secretKey}`)
      return sendJson(response, 401, { detail: 'no' })
    const { source } = JSON.parse(body.toString()) as { source: string }
    try {
      return sendJson(response, 200, JSON.parse(source) as object)
    } catch {
      return sendJson(response, 200, { detail: `line 1: no challenge in it; ${secretKey}` })
    }
  })
}
