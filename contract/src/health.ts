import { z } from 'zod'
import { reply, route } from './route.ts'

// Health checks, which belong to neither version of the API:
// docs/reference/requests-and-responses.md#health-checks

/** Liveness: returns `ok` whenever the process responds; plain text. */
export const HEALTH_PATH = '/api/healthz'
/** Readiness: returns `ok` when the datastores respond, else 503 `unhealthy`; plain text. */
export const READY_PATH = '/api/readyz'

export const goodOpenApi = reply(200, 'goodOpenApi', 'The API.', z.record(z.string(), z.unknown()))

export const getOpenApi = route({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This description.',
  auth: 'public',
  shows: [],
  unwrapped: true,
  limits: [],
  replies: [goodOpenApi],
})

export const healthRouteList = [getOpenApi] as const
