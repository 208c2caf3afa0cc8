import { EndpointKind } from '@pennant/contract/instances.ts'
import { z } from 'zod'
import { provider, ProviderError, UncertainError } from '../provider.ts'
import { ServiceAddress } from '../service-address.ts'
import { requestJson } from '../request-json.ts'
import {
  STOPPED,
  type InstanceDetails,
  type InstanceKey,
  type Instancer,
  type InstancerContext,
} from './instancer.ts'
import { withoutSecrets } from './safe-text.ts'

/** The service validates its own configuration; here it is any map. */
const Config = z.record(z.string(), z.unknown())

const Details = z.object({
  kind: z.literal('instancerInstanceDetails'),
  status: z.enum(['stopped', 'running', 'starting', 'stopping', 'errored']),
  timeLeftMilliseconds: z.int().nullable(),
  endpoints: z
    .array(
      z.object({
        kind: EndpointKind,
        host: z.string().min(1).max(1024),
        port: z.int().min(0).max(65_535),
      }),
    )
    .max(1_000)
    .nullable(),
})

const Failure = z.object({ kind: z.literal('instancerError'), message: z.string() })

const WHO = 'The instancer'
/** No instance has these ids. */
const NO_INSTANCE = {
  teamId: '00000000-0000-0000-0000-000000000000',
  integrationId: 'pennant-check',
  config: {},
}

interface Request {
  readonly method: 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  readonly kind: string
  readonly fields?: object
}

/** Client of a self-hosted instancer: docs/reference/providers.md#http-instancer-protocol */
export const httpInstancer = provider<Instancer, InstancerContext>()({
  name: 'instancers/http',
  options: z.strictObject({
    apiUrl: ServiceAddress.describe('URL of the service, without `/v1/instances/`.'),
    authToken: z.string().min(1).describe('Secret shared with the service.'),
    authField: z
      .string()
      .regex(/^[A-Za-z]\w{0,63}$/)
      .default('serviceAuthToken')
      .describe('Name of the secret in the body, as the service expects it. `Authorization` has it too.'),
    callTimeout: z.int().min(1).max(60_000).default(10_000).describe('Timeout of one call, in milliseconds.'),
  }),

  start({ apiUrl, authToken, authField, callTimeout }, { fetch }) {
    const secrets = [authToken, apiUrl, new URL(apiUrl).host]

    async function call(key: InstanceKey, request: Request, signal: AbortSignal): Promise<InstanceDetails> {
      const { method, kind, fields } = request
      const { teamId, integrationId } = key
      const result = await requestJson({
        who: WHO,
        fetch,
        url: `${apiUrl}/v1/instances/`,
        method,
        // Older services read the token from the body only.
        token: authToken,
        body: { kind, [authField]: authToken, teamId, challengeIntegrationId: integrationId, ...fields },
        signal,
      })
      const failure = Failure.safeParse(result.value)
      // For a read, a 404 is simply the state "stopped".
      if (failure.success && method === 'POST' && result.status === 404) return STOPPED
      if (failure.success) throw new ProviderError(withoutSecrets(failure.data.message, secrets))
      const details = Details.safeParse(result.value)
      if (Math.floor(result.status / 100) !== 2 || !details.success)
        throw new UncertainError(`${WHO} returned an unusable response.`)
      const { status, timeLeftMilliseconds, endpoints } = details.data
      return { status, timeLeftMs: timeLeftMilliseconds, endpoints: endpoints ?? [] }
    }

    const get = (key: InstanceKey, signal: AbortSignal) =>
      call(key, { method: 'POST', kind: 'instancerGetInstanceForm' }, signal)

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
      get,
      async check(signal) {
        // The protocol has no request about the service itself. An error that it reports is a response.
        await get(NO_INSTANCE, signal).catch((error: unknown) => {
          if (!(error instanceof ProviderError) || error instanceof UncertainError) throw error
        })
      },
      extend(renewal, signal) {
        const fields = { timeoutMilliseconds: renewal.timeoutMs }
        return call(renewal, { method: 'PATCH', kind: 'instancerRenewInstanceForm', fields }, signal)
      },
      delete: (key, signal) => call(key, { method: 'DELETE', kind: 'instancerDeleteInstanceForm' }, signal),
    }
  },
})
