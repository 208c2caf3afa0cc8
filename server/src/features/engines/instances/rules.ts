import type { Endpoint, EndpointKind, Expose } from '../../../providers/instancer/instancer.ts'

export interface NamedEndpoint {
  readonly kind: EndpointKind
  readonly host: string
  readonly port: number
  readonly title?: string
}

/**
 * Endpoints are in the order of the exposed ports. Organisers may change the port titles while instances run.
 */
export function namedEndpoints(endpoints: readonly Endpoint[], expose: readonly Expose[]): NamedEndpoint[] {
  return endpoints.map(({ kind, host, port }, index) => {
    const title = expose[index]?.title
    return title === undefined ? { kind, host, port } : { kind, host, port, title }
  })
}
