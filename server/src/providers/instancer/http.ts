import { z } from 'zod'
import { provider, ProviderError } from '../provider.ts'
import { ServiceAddress } from '../service-address.ts'
import { askJson } from '../ask-json.ts'
import type { InstanceDetails, InstanceKey, Instancer } from './instancer.ts'
import { withoutSecrets } from './safe-text.ts'

/** The service behind the protocol knows what it takes; here it is any map. */
const Config = z.record(z.string(), z.unknown())

const Details = z.object({
  kind: z.literal('instancerInstanceDetails'),
  status: z.enum(['stopped', 'running', 'starting', 'stopping', 'errored']),
  timeLeftMilliseconds: z.int().nullable(),
  endpoints: z
    .array(
      z.object({
        kind: z.enum(['tcp', 'tcp-ssl', 'http', 'https']),
        host: z.string().min(1).max(1024),
        port: z.int().min(0).max(65_535),
      }),
    )
    .max(1_000)
    .nullable(),
})

const Failure = z.object({ kind: z.literal('instancerError'), message: z.string() })

const WHO = 'The instancer'
const STOPPED: InstanceDetails = { status: 'stopped', timeLeftMs: null, endpoints: [] }

interface Request {
  readonly method: 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  readonly kind: string
  readonly fields?: object
}

/** Speaks to a service of one's own by the protocol of contract admin 4.3. */
export const httpInstancer = provider<Instancer>()({
  name: 'instancers/http',
  options: z.strictObject({
    apiUrl: ServiceAddress.describe('Address of the service; `/v1/instances/` follows it.'),
    authToken: z.string().min(1).describe('The secret that the service knows.'),
    callTimeout: z.int().min(1).max(60_000).default(10_000).describe('Milliseconds that one call may take.'),
  }),

  start({ apiUrl, authToken, callTimeout }, { fetch }) {
    const secrets = [authToken, apiUrl, new URL(apiUrl).host]

    async function call(key: InstanceKey, request: Request, signal: AbortSignal): Promise<InstanceDetails> {
      const { method, kind, fields } = request
      const { teamId, integrationId } = key
      const answer = await askJson({
        who: WHO,
        fetch,
        url: `${apiUrl}/v1/instances/`,
        method,
        // Services of old look into the body only.
        token: authToken,
        body: { kind, serviceAuthToken: authToken, teamId, challengeIntegrationId: integrationId, ...fields },
        signal,
      })
      const failure = Failure.safeParse(answer.value)
      // Nothing there is a state like others for whoever only looks.
      if (failure.success && method === 'POST' && answer.status === 404) return STOPPED
      if (failure.success) throw new ProviderError(withoutSecrets(failure.data.message, secrets))
      const details = Details.safeParse(answer.value)
      if (Math.floor(answer.status / 100) !== 2 || !details.success)
        throw new ProviderError(`${WHO} gave no usable answer.`)
      const { status, timeLeftMilliseconds, endpoints } = details.data
      return { status, timeLeftMs: timeLeftMilliseconds, endpoints: endpoints ?? [] }
    }

    return {
      config: Config,
      example: {},
      canStop: true,
      canExtend: true,
      callTimeoutMs: callTimeout,

      create(order, signal) {
        const { config, expose, flags, timeoutMs, extendable } = order
        const fields = { config, expose, flags, timeoutMilliseconds: timeoutMs, extendable }
        return call(order, { method: 'PUT', kind: 'instancerCreateInstanceForm', fields }, signal)
      },
      get: (key, signal) => call(key, { method: 'POST', kind: 'instancerGetInstanceForm' }, signal),
      extend(renewal, signal) {
        const fields = { timeoutMilliseconds: renewal.timeoutMs }
        return call(renewal, { method: 'PATCH', kind: 'instancerRenewInstanceForm', fields }, signal)
      },
      delete: (key, signal) => call(key, { method: 'DELETE', kind: 'instancerDeleteInstanceForm' }, signal),
    }
  },
})
