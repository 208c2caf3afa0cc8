import type { Labels } from './engine-calls.ts'
import type { Options } from './options.ts'
import type { Routed } from './plan.ts'

type Traefik = NonNullable<Options['traefik']>

/** Labels by which Traefik finds the exposed ports of a service, on the network that they share. */
export function traefikLabels(routed: readonly Routed[], network: string, traefik: Traefik): Labels {
  if (routed.length === 0) return {}
  return Object.assign(
    { 'traefik.enable': 'true', 'traefik.docker.network': network },
    ...routed.map((route) => routeLabels(route, traefik)),
  ) as Labels
}

function routeLabels(
  { kind, host, port, redirects }: Routed,
  { entryPoints, certResolver }: Traefik,
): Labels {
  const name = host.replaceAll('.', '-')
  const isTcp = kind === 'tcp-ssl'
  const router = `traefik.${isTcp ? 'tcp' : 'http'}.routers.${name}-${kind}`
  const service = `traefik.${isTcp ? 'tcp' : 'http'}.services.${name}-${kind}`
  const rule = `${isTcp ? 'HostSNI' : 'Host'}(\`${host}\`)`
  return {
    [`${router}.rule`]: rule,
    [`${router}.entrypoints`]: entryPoints[kind],
    [`${router}.service`]: `${name}-${kind}`,
    [`${service}.loadbalancer.server.port`]: String(port),
    ...(kind === 'http' ? {} : { [`${router}.tls`]: 'true' }),
    ...(kind === 'http' || certResolver === undefined
      ? {}
      : { [`${router}.tls.certresolver`]: certResolver }),
    ...(redirects ? redirectLabels(name, rule, entryPoints.http) : {}),
  }
}

function redirectLabels(name: string, rule: string, entryPoint: string): Labels {
  const router = `traefik.http.routers.${name}-plain`
  return {
    [`${router}.rule`]: rule,
    [`${router}.entrypoints`]: entryPoint,
    [`${router}.middlewares`]: `${name}-https`,
    [`${router}.service`]: `${name}-https`,
    [`traefik.http.middlewares.${name}-https.redirectscheme.scheme`]: 'https',
  }
}
