import type { Config } from '../config.ts'
import { compileSource } from './compiler.ts'
import { doJob } from './do-job.ts'
import { createVisitUsers, requireIsolation } from './isolation.ts'
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
  /** Files that contain secrets. */
  readonly secretFiles: readonly string[]
  /** The command that starts this program; the name of a child is appended. */
  readonly command: readonly string[]
  /** Stops pulling; running jobs finish. */
  readonly stop: AbortSignal
  /** Aborts running jobs. */
  readonly giveUp: AbortSignal
}

/** Runs the whole worker. Resolves when it has stopped and cleaned up. */
export async function runWorker(deps: WorkerDeps): Promise<void> {
  const { config, log, now, command, stop, giveUp } = deps
  const isIsolated = config.ISOLATION === 'on'
  if (isIsolated) requireIsolation(deps.secretFiles)
  else
    log.warn(
      {},
      'visits are not isolated from the worker (ISOLATION is off): run only challenge code that you trust',
    )
  const surroundings = findSurroundings(config)
  await removeLeftFolders()
  const folder = await makeWorkerFolder({ isShared: isIsolated })
  const childDeps = { command, folder, surroundings, users: isIsolated ? createVisitUsers() : null }
  const service = createService(config)
  const sources = createSources(service, childDeps)
  // Without Chromium no browser can be pre-launched.
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
  log.info({ port: checks.port, chromiumPath, firefoxPath, hasSandbox }, 'the worker is ready')
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
