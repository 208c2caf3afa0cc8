import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { healthPath, readyPath } from '@pennant/contract/health.ts'

export interface HealthOptions {
  /** Rejects when the database does not answer. */
  readonly pingDatabase: () => Promise<void>
  readonly pingKeyValue: () => Promise<void>
  /** All series as text, with their content type; null when metrics are off. */
  readonly metrics: { readonly text: () => Promise<string>; readonly contentType: string } | null
  /** Bearer token that `/metrics` asks for. */
  readonly metricsToken: string | undefined
}

/** Either store must answer within this (contract, participant 18). */
const READY_LIMIT_MS = 2000

/** Health and metrics: what machines ask. */
export function healthFiles(options: HealthOptions): (app: FastifyInstance) => void {
  const isReady = readiness(options)
  return (app) => {
    app.get(healthPath, (_request, reply) => plain(reply, 200, 'ok'))
    app.get(readyPath, async (_request, reply) =>
      (await isReady()) ? plain(reply, 200, 'ok') : plain(reply, 503, 'unhealthy'),
    )
    const { metrics, metricsToken } = options
    if (!metrics) return
    app.get('/metrics', async (request, reply) => {
      if (!isAllowed(request, metricsToken)) return plain(reply, 401, 'unauthorized')
      return reply
        .header('content-type', metrics.contentType)
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .send(await metrics.text())
    })
  }
}

function isAllowed(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return true
  // Digests are of one length, and how long they compare tells nothing of the token.
  return timingSafeEqual(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${token}`))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function plain(reply: FastifyReply, status: number, text: string) {
  return reply
    .code(status)
    .header('content-type', 'text/plain; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(text)
}

/** Parallel probes share one check. */
function readiness({ pingDatabase, pingKeyValue }: HealthOptions): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  const check = async () => {
    try {
      await within(READY_LIMIT_MS, Promise.all([pingDatabase(), pingKeyValue()]))
      return true
    } catch {
      return false
    } finally {
      running = null
    }
  }
  return () => (running ??= check())
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), limitMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
