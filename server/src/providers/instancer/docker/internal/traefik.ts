import type { Labels } from './engine-calls.ts'
import type { Options } from './options.ts'
import type { Routed } from './plan.ts'

type Traefik = NonNullable<Options['traefik']>

/** Labels with which Traefik finds the exposed ports of a service, on their shared network. */
export function traefikLabels(
  routed: readonly Routed[],
  network: string | undefined,
  traefik: Traefik,
): Labels {
  // By default Traefik also serves unlabelled containers, under the container's name.
  if (routed.length === 0 || network === undefined) return { 'traefik.enable': 'false' }
  return Object.assign(
    { 'traefik.enable': 'true', 'traefik.docker.network': network },
    ...routed.map((route) => routeLabels(route, traefik)),
  ) as Labels
}

function routeLabels(
  { kind, host, port, redirects }: Routed,
  { domain, entryPoints, certResolver }: Traefik,
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
      : // One certificate for all: that of a single name would publish it in the logs of certificate authorities.
        { [`${router}.tls.certresolver`]: certResolver, [`${router}.tls.domains[0].main`]: `*.${domain}` }),
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
