import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ProviderError, UncertainError } from '../../../provider.ts'
import type { KubernetesOptions } from './options.ts'

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

export interface Reply {
  readonly status: number
  readonly value: unknown
}

export const STILL_STOPPING = 'The instance is still stopping. Try again in a moment.'

/** Status codes that callers handle; all others are failures. */
const DECIDED = new Set([200, 201, 202, 404, 409])

export interface Cluster {
  /** @throws ProviderError for everything but success, 404 and 409 */
  request(request: ClusterRequest, signal: AbortSignal): Promise<Reply>
}

/**
 * Uses the official client's authentication and transport. Bodies are sent unchanged, so that fields newer
 * than the client are kept.
 */
export async function openCluster(options: KubernetesOptions): Promise<Cluster> {
  const client = await import('@kubernetes/client-node')
  const config = new client.KubeConfig()
  const { kubeconfig, inCluster, apiUrl: server, token, caCertificate: caData } = options
  if (kubeconfig) config.loadFromString(await textOf(kubeconfig))
  else if (inCluster) config.loadFromCluster()
  else if (server && token)
    config.loadFromClusterAndUser(
      // The client refuses plain HTTP (such as a local proxy) unless TLS verification is off.
      { name: 'cluster', server, skipTLSVerify: server.startsWith('http:'), ...(caData && { caData }) },
      { name: 'pennant', token },
    )
  const found = config.getCurrentCluster()
  if (!found) throw new Error('The kubeconfig has no current cluster.')
  const base = found.server.replace(/\/+$/, '')
  const transport = new client.IsomorphicFetchHttpLibrary()

  async function send(
    { method, path, query = {}, body }: ClusterRequest,
    signal: AbortSignal,
  ): Promise<Reply> {
    const request = new client.RequestContext(`${base}${path}`, client.HttpMethod[method])
    for (const [name, value] of Object.entries(query)) request.setQueryParam(name, value)
    request.setHeaderParam('accept', 'application/json')
    if (body) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      request.setHeaderParam('content-type', type)
      request.setBody(JSON.stringify(body))
    }
    // The client's own copy of the type requires null where we have undefined; the transport accepts both.
    request.setSignal(signal)
    await config.applySecurityAuthentication(request)
    const response = await transport.send(request).toPromise()
    return { status: response.httpStatusCode, value: JSON.parse(await response.body.text()) as unknown }
  }

  return {
    async request(request, signal) {
      const reply = await send(request, signal).catch((cause: unknown) => {
        if (signal.aborted) throw new UncertainError('The cluster did not respond in time.', { cause })
        if (cause instanceof SyntaxError)
          throw new UncertainError('The cluster returned an unusable response.', { cause })
        throw new UncertainError('The cluster cannot be reached.', { cause })
      })
      if (DECIDED.has(reply.status)) return reply
      throw failureOf(reply)
    },
  }
}

/** The cluster rejects this object permanently. */
export class Refused extends ProviderError {}

const Status = z.object({
  message: z.string().default('no reason given'),
  details: z.object({ causes: z.array(z.object({ reason: z.string().optional() })).optional() }).optional(),
})

async function textOf(kubeconfig: string): Promise<string> {
  return kubeconfig.includes('\n') ? kubeconfig : readFile(kubeconfig, 'utf8')
}

function failureOf({ status, value }: Reply): ProviderError {
  const { message, details } = Status.catch({ message: 'no reason given' }).parse(value)
  if (details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating'))
    return new ProviderError(STILL_STOPPING)
  if (status === 401)
    return new ProviderError(
      'The cluster rejected the credentials of this server: the token is wrong or has expired.',
    )
  if (status === 403) return new ProviderError(`The cluster denied the request of this server: ${message}`)
  if (status === 429 || status >= 500 || status === 410)
    return new UncertainError('The cluster reported an internal error. Try again in a moment.')
  return new Refused(`The cluster rejected the request: ${message}`)
}
