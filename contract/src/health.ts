import { z } from 'zod'
import { reply, route } from './route.ts'

// What machines ask beside the API's two versions (contract, participant 18).

/** Answers `ok` whenever the process answers; plain text. */
export const healthPath = '/api/healthz'
/** Answers `ok` when the stores answer, else 503 `unhealthy`; plain text. */
export const readyPath = '/api/readyz'

export const goodOpenApi = reply(200, 'goodOpenApi', 'The API.', z.record(z.string(), z.unknown()))

export const getOpenApi = route({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This description.',
  auth: 'public',
  unwrapped: true,
  replies: [goodOpenApi],
})

export const healthRouteList = [getOpenApi] as const
