import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import {
  listAdminBotJobs,
  readAdminBotJob,
  readAdminBotLogs,
  submitAdminBotJob,
} from '@pennant/contract/admin-bot.ts'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { eventually } from '../../server/test/eventually.ts'
import { startContest, type Contest, type Member } from '../../server/test/harness.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export const secretKey = 'stage-secret-4c1d'

export interface StageOptions {
  readonly workers?: number
  readonly config?: Readonly<Record<string, unknown>>
  /** Environment variables of the workers, in addition to those for the connection. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: processes on this machine. */
  readonly startWorker?: (env: Readonly<Record<string, string>>) => Promise<WorkerProcess>
}

export interface Stage extends AsyncDisposable {
  readonly contest: Contest
  readonly workers: readonly WorkerProcess[]
  /**
   * Saves a challenge as organisers do; a worker checks its code. Throws with the problem that is reported.
   */
  addChallenge(id: string, code: string, fields?: object): Promise<void>
}

/** A contest that uses the real time, and real workers. The first of them checks sources. */
export async function startStage({
  workers: count = 1,
  config,
  env,
  startWorker = startWorkerProcess,
}: StageOptions = {}): Promise<Stage> {
  const disposal = createDisposal()
  const port = await findFreePort()
  const provider = {
    name: 'admin-bots/browser',
    options: { endpoint: `http://127.0.0.1:${port}`, secretKey, callTimeout: 60_000 },
  }
  const contest = await startContest({ config: { adminBot: { provider }, ...config } })
  disposal.defer(() => contest[Symbol.asyncDispose]())
  let last = Date.now()
  const ticker = setInterval(() => {
    const now = Date.now()
    contest.clock.advance(now - last)
    last = now
  }, 20)
  disposal.defer(async () => clearInterval(ticker))
  const workers: WorkerProcess[] = []
  for (let index = 0; index < count; index += 1) {
    const worker = await startWorker({
      BASE_URL: contest.url,
      SECRET_KEY: secretKey,
      PORT: String(index === 0 ? port : 0),
      ...env,
    })
    disposal.defer(() => worker[Symbol.asyncDispose]())
    workers.push(worker)
  }
  const admin = await contest.admin()
  return {
    contest,
    workers,
    async addChallenge(id, code, fields = {}) {
      const data = { name: id, category: 'web', hidden: false, adminBotConfig: { code }, ...fields }
      const response = await contest.call(putChallengeV2, {
        token: admin.token,
        params: { id },
        body: { data },
      })
      if (response.kind !== 'goodChallengeUpdateV2') throw new Error(JSON.stringify(response.data))
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

export interface Line {
  readonly time: string
  readonly level: string
  readonly prefix: string
  readonly line: string
  readonly extra: unknown
}

export interface Visited {
  readonly status: string
  readonly lines: readonly Line[]
}

export async function send(
  { contest }: Stage,
  { token }: Member,
  { id, inputs }: { readonly id: string; readonly inputs: Record<string, string> },
): Promise<string> {
  const response = await contest.call(submitAdminBotJob, { token, params: { id }, body: { inputs } })
  if (response.kind !== 'goodAdminBotJobSubmitted') throw new Error(JSON.stringify(response))
  return response.data.jobId
}

/** Starts a visit of the bot as a new team, and waits for its end. */
export async function visit(
  stage: Stage,
  id: string,
  { inputs = {}, team }: { readonly inputs?: Record<string, string>; readonly team?: Member } = {},
): Promise<Visited> {
  const member = team ?? (await stage.contest.team())
  const jobId = await send(stage, member, { id, inputs })
  return await waitForEnd(stage, member, { id, jobId })
}

/** A job may wait for another worker's lease to expire; faster polling would meet the team's rate limit. */
const POLL_MS = 100

export async function waitForEnd(
  { contest: { call } }: Stage,
  { token }: Member,
  { id, jobId }: { readonly id: string; readonly jobId: string },
): Promise<Visited> {
  const last = await eventually(async () => {
    const response = await call(readAdminBotJob, { token, params: { id } })
    if (response.kind === 'goodAdminBotJobStatus' && response.data.job)
      throw new Error(`The visit has not ended: ${JSON.stringify(response.data.job)}`)
    return response
  }, POLL_MS)
  // Any other response would not change by waiting.
  if (last.kind !== 'goodAdminBotJobStatus') throw new Error(JSON.stringify(last))
  const history = await call(listAdminBotJobs, { token, params: { id } })
  if (history.kind !== 'goodAdminBotJobHistory') throw new Error(JSON.stringify(history))
  const { jobs } = history.data
  const logs = await call(readAdminBotLogs, { token, params: { id, jobId } })
  if (logs.kind !== 'goodAdminBotJobLogs') throw new Error(JSON.stringify(logs))
  const text = logs.data.logs ?? ''
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  return { status: jobs.find((job) => job.id === jobId)?.status ?? 'without logs', lines }
}

/** Wraps a handler's body in an author's module. */
export function codeOf(body: string, options = ''): string {
  return `import { Challenge } from '@pennant/bot'
export const challenge = new Challenge({
  timeoutMilliseconds: 45_000,
  inputs: {},
  ${options}
  async handler({ browserContext, input, output, job, logger }) {
    ${body}
  },
})`
}
