import type { Config } from '../config.ts'
import { compileSource } from './compiler.ts'
import { doJob } from './do-job.ts'
import { makeWorkerFolder, removeFolder, removeLeftFolders } from './folders.ts'
import type { Log } from './log.ts'
import { keepPulling } from './loop.ts'
import { createService, type Job } from './service.ts'
import { serveSourceCheck } from './source-check.ts'
import { createSources } from './sources.ts'
import { findSurroundings } from './surroundings.ts'
import { createVisitors } from './visitors.ts'

const MEBIBYTE = 1024 * 1024

export interface WorkerDeps {
  readonly config: Config
  readonly log: Log
  readonly now: () => number
  /** How this program is started; the name of a child follows. */
  readonly command: readonly string[]
  /** Pulls no more: the jobs that run are finished. */
  readonly stop: AbortSignal
  /** Gives up what runs. */
  readonly giveUp: AbortSignal
}

/** The whole worker. Resolves when it has stopped and nothing of it is left. */
export async function runWorker({ config, log, now, command, stop, giveUp }: WorkerDeps): Promise<void> {
  const surroundings = findSurroundings(config)
  await removeLeftFolders()
  const folder = await makeWorkerFolder()
  const childDeps = { command, folder, surroundings }
  const service = createService(config)
  const sources = createSources(service, childDeps)
  // Without Chromium nothing can be launched ahead.
  const isWarm = config.WARM_BROWSER && surroundings.chromiumPath !== null
  const visitors = createVisitors({ ...childDeps, isWarm, log })
  const checks = await serveSourceCheck({
    host: config.HOST,
    port: config.PORT,
    secretKey: config.SECRET_KEY,
    log,
    check: (source) => compileSource(source, childDeps),
  })
  const { chromiumPath, firefoxPath, hasSandbox } = surroundings
  log.info({ port: checks.port, chromiumPath, firefoxPath, hasSandbox }, 'the worker pulls jobs')
  const jobDeps = {
    service,
    sources,
    visitors,
    log,
    now,
    maxMemoryBytes: config.VISIT_MEMORY_MIB * MEBIBYTE,
  }
  visitors.warm()
  const { CONCURRENCY: concurrency, POLL_INTERVAL_MS: pollIntervalMs } = config
  const loop = { service, log, concurrency, pollIntervalMs, doJob: (job: Job) => doJob(job, jobDeps, giveUp) }
  try {
    await keepPulling(loop, stop)
  } finally {
    await visitors.close()
    await checks.close()
    await removeFolder(folder)
  }
  log.info({}, 'the worker has stopped')
}
