import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { HEALTH_PATH, READY_PATH } from '@pennant/contract/health.ts'
import { textFile, type FileRoute } from '../../../http/response/files.ts'
import { isForwarded } from '../../../http/request/proxy-trust.ts'
import { isPrivateAddress } from '../../../lib/addresses.ts'

export interface HealthOptions {
  /** Rejects if the database does not respond. */
  readonly pingDatabase: () => Promise<void>
  readonly pingKeyValue: () => Promise<void>
  /** Whether the process is about to shut down and wants no new requests. */
  readonly isLeaving: () => boolean
  /** What limits this process although it is ready, as a sentence. */
  readonly warning?: string | null
  /** Returns all metrics as text, with their content type; null if metrics are off. */
  readonly metrics: { readonly text: () => Promise<string>; readonly contentType: string } | null
  /**
   * Bearer token required for `/metrics`. Without one, only requests from this machine and private networks
   * are allowed.
   */
  readonly metricsToken: string | undefined
  /**
   * Public URL of the site. A request with this host came through a proxy, whatever its other headers say.
   */
  readonly origin: string
}

/** Timeout of each datastore: docs/reference/requests-and-responses.md#health-checks */
const READY_LIMIT_MS = 2000

/** Health and metrics endpoints for monitoring. */
export function healthFiles(options: HealthOptions): FileRoute[] {
  const isReady = readiness(options)
  const ready = options.warning ? `ok\nwarning: ${options.warning}` : 'ok'
  const { metrics, metricsToken, origin } = options
  const files: FileRoute[] = [
    ...[HEALTH_PATH, '/healthz'].map((path) => ({ path, respond: () => textFile({ text: 'ok' }) })),
    ...[READY_PATH, '/readyz'].map((path) => ({
      path,
      respond: async () =>
        (await isReady()) ? textFile({ text: ready }) : textFile({ status: 503, text: 'unhealthy' }),
    })),
  ]
  if (!metrics) return files
  const readMetrics: FileRoute['respond'] = async ({ raw }) => {
    if (metricsToken === undefined) {
      const text = 'forbidden: set metrics.token to read this'
      if (!isLocal(raw, origin)) return textFile({ status: 403, text })
    } else if (!hasToken(raw, metricsToken)) return textFile({ status: 401, text: 'unauthorized' })
    return textFile({ type: metrics.contentType, text: await metrics.text() })
  }
  return [...files, { path: '/metrics', respond: readMetrics }]
}

/**
 * Whether the request comes directly from this machine or a private network. A local proxy has the same
 * address, so the request must have neither forwarding headers nor the public host name.
 */
function isLocal(raw: IncomingMessage, origin: string): boolean {
  const publicHost = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  const isPublicName = publicHost !== 'localhost' && !isPrivateAddress(publicHost)
  const hasPublicName = isPublicName && hostIn(raw.headers.host ?? '') === publicHost
  return isPrivateAddress(raw.socket.remoteAddress ?? '') && !isForwarded(raw) && !hasPublicName
}

/** The host name in a `Host` header, normalized like in a URL. */
function hostIn(header: string): string | null {
  const url = `http://${header}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : null
}

function hasToken(request: IncomingMessage, token: string): boolean {
  // Digests have the same length, so the comparison time reveals nothing about the token.
  return timingSafeEqual(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${token}`))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Concurrent probes share one check. */
function readiness({ pingDatabase, pingKeyValue, isLeaving }: HealthOptions): () => Promise<boolean> {
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
  return async () => !isLeaving() && (await (running ??= check())) && !isLeaving()
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), limitMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
