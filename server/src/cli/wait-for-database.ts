import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { HEALTH_PATH, READY_PATH } from '@pennant/contract/health.ts'
import { errorUnavailable } from '@pennant/contract/replies.ts'
import type { Config } from '../config/config.ts'
import { StartError, UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { newRequestId } from '../lib/uuid.ts'

/** Short, because the service should be back within two seconds of the database. */
const RETRY_MS = 500
/** Between two lines of the log that say so. */
const REPORT_MS = 30 * SECOND_MS
const RETRY_AFTER_S = '5'

export interface DatabaseWait extends AsyncDisposable {
  /** Runs a step of the start again until the database is there, for `database.startTimeout` at most. */
  retry<T>(step: () => Promise<T>): Promise<T>
  /** Releases the port. */
  close(): Promise<void>
}

export interface DatabaseWaitOptions {
  readonly config: Pick<Config, 'host' | 'port' | 'database'>
  readonly log: Log
  readonly stop: AbortSignal
  /** Whether health checks are answered while the start waits: other processes may have the port. */
  readonly hasPort: boolean
}

/** On a machine that starts before its database, the process waits instead of ending. */
export function waitForDatabase({ config, log, stop, hasPort }: DatabaseWaitOptions): DatabaseWait {
  let server: Server | null = null
  const limitMs = config.database.startTimeout
  const close = async () => {
    const closing = server
    server = null
    if (closing) await closeNow(closing)
  }
  return {
    async retry(step) {
      const since = performance.now()
      let reportAt = since
      // Bounded by `limitMs`.
      for (;;) {
        try {
          const value = await step()
          if (reportAt > since) log.info({}, 'the database responds; the start continues')
          return value
        } catch (error) {
          const now = performance.now()
          if (!isOutage(error) || now - since >= limitMs) throw error
          stop.throwIfAborted()
          if (now >= reportAt) {
            reportAt = now + REPORT_MS
            const seconds = { waitedS: Math.round((now - since) / SECOND_MS), limitS: limitMs / SECOND_MS }
            log.warn({ reason: error.message, ...seconds }, 'cannot start yet; retrying')
          }
        }
        if (hasPort) server ??= await answerHealthChecks(config, log)
        await delay(RETRY_MS, undefined, { signal: stop }).catch(() => stop.throwIfAborted())
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function isOutage(error: unknown): error is Error {
  if (error instanceof UnavailableError) return true
  return error instanceof StartError && error.cause instanceof UnavailableError
}

/** The process is alive and not ready; everything but its health gets 503. */
async function answerHealthChecks({ host, port }: Pick<Config, 'host' | 'port'>, log: Log): Promise<Server> {
  const { kind, message } = errorUnavailable().reply
  const unavailable = JSON.stringify({ kind, message })
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '/').split('?')
    const isApi = path.startsWith('/api/') && path !== HEALTH_PATH && path !== READY_PATH
    response.setHeader('content-type', `${isApi ? 'application/json' : 'text/plain'}; charset=utf-8`)
    response.setHeader('cache-control', 'no-store')
    // So that none is left when the service takes over the port.
    response.setHeader('connection', 'close')
    if (path === HEALTH_PATH || path === '/healthz') return void response.end('ok')
    const requestId = newRequestId()
    log.debug({ requestId, method: request.method, status: 503, kind }, 'refused: waiting for the database')
    response.writeHead(503, { 'retry-after': RETRY_AFTER_S, 'x-request-id': requestId })
    response.end(isApi ? unavailable : 'unhealthy: waiting for the database')
  })
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}

async function closeNow(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
