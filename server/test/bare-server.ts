import { createBodyBudget } from '../src/http/request/body-budget.ts'
import { createLimiter } from '../src/http/request/limiter.ts'
import { createProxyTrust } from '../src/http/request/proxy-trust.ts'
import { createServer, type HttpServer, type ServerDeps } from '../src/http/server.ts'
import { createMemoryBuckets } from '../src/lib/buckets.ts'
import { recordLog } from './log.ts'

/** The HTTP server without a contest: no database, small limits, and the time 1000 within an event until 2000. */
export function bareServer(changes: Partial<ServerDeps>): HttpServer {
  return createServer({
    endpoints: [],
    files: [],
    idleTimeoutS: 65,
    now: () => 1000,
    eventWindow: () => ({ startTime: 0, endTime: 2000 }),
    authenticate: async () => null,
    isService: null,
    maySee: () => true,
    limiter: createLimiter({ buckets: createMemoryBuckets({ now: () => 1000 }), now: () => 1000 }),
    captcha: { isProtected: () => true, verify: async (code) => code === 'human' },
    maxima: { maxLimit: 100, maxOffset: 1000, graphMaxTeams: 10, graphWithListLimit: 100 },
    bodyCaps: {
      json: 1024,
      account: 512,
      admin: 8192,
      webhook: 8192,
      upload: 65536,
      jsonUpload: 65536,
      avatar: 2048,
    },
    bodyBudget: createBodyBudget(1024 * 1024),
    proxy: createProxyTrust({ cloudflare: false, trust: 1 }),
    log: recordLog().log,
    onReply: () => {},
    ...changes,
  })
}
