import { expect, test } from 'vitest'
import type { Expose } from '../../instancer.ts'
import { InstanceConfig } from './instance-config.ts'
import { Options } from './options.ts'
import { planInstance } from './plan.ts'
import { traefikLabels } from './traefik.ts'

const image = 'app:1'
const config = InstanceConfig.parse({
  services: { web: { image, networks: ['inner'] }, db: { image, networks: ['inner'] } },
  networks: { inner: {} },
})
const traefik = Options.parse({ traefik: { domain: 'play.example.org', container: 'proxy' } }).traefik

function plan(expose: readonly Expose[], proxy: typeof traefik = undefined) {
  let port = 30_000
  return planInstance(config, expose, {
    hostId: '0123456789ab',
    publicHost: 'one.example.org',
    traefik: proxy,
    takePort: () => port++,
  })
}

const at = (kind: Expose['kind'], containerPort: number, hostPrefix = 'web'): Expose => ({
  kind,
  hostPrefix,
  containerName: 'web',
  containerPort,
})

test('without a proxy every exposed port is published, in order', () => {
  const { endpoints, published, routed } = plan([at('http', 80), at('tcp', 22)])
  expect(endpoints).toEqual([
    { kind: 'http', host: 'one.example.org', port: 30_000 },
    { kind: 'tcp', host: 'one.example.org', port: 30_001 },
  ])
  expect(published.map(({ port }) => port)).toEqual([80, 22])
  expect(routed).toEqual([])
})

test('with a proxy only tcp ports are published', () => {
  const { endpoints, published } = plan([at('https', 443), at('tcp', 22), at('tcp-ssl', 1)], traefik)
  expect(endpoints).toEqual([
    { kind: 'https', host: 'web-0123456789ab.play.example.org', port: 443 },
    { kind: 'tcp', host: 'one.example.org', port: 30_000 },
    { kind: 'tcp-ssl', host: 'web-0123456789ab.play.example.org', port: 1337 },
  ])
  expect(published).toHaveLength(1)
})

test('an exposed service has its own entry network, which other services are not connected to', () => {
  expect(plan([at('http', 80)]).networks).toMatchObject([
    { name: 'inner', isInternal: true, isEntry: false, services: ['web', 'db'] },
    { name: '_entry-web', isInternal: true, isEntry: true, services: ['web'] },
  ])
})

test('https redirects from http, unless http is exposed too', () => {
  const labels = (expose: Expose[]) => traefikLabels(plan(expose, traefik).routed, 'net', traefik!)
  const alone = labels([at('https', 443)])
  expect(alone).toMatchObject({
    'traefik.enable': 'true',
    'traefik.docker.network': 'net',
    'traefik.http.routers.web-0123456789ab-play-example-org-https.rule':
      'Host(`web-0123456789ab.play.example.org`)',
    'traefik.http.routers.web-0123456789ab-play-example-org-https.tls': 'true',
    'traefik.http.services.web-0123456789ab-play-example-org-https.loadbalancer.server.port': '443',
  })
  expect(Object.keys(alone).some((name) => name.includes('redirectscheme'))).toBe(true)
  const both = labels([at('https', 443), at('http', 80)])
  expect(Object.keys(both).some((name) => name.includes('redirectscheme'))).toBe(false)
})

test('one wildcard certificate covers all names, so that none of them becomes public', () => {
  const resolved = { ...traefik!, certResolver: 'dns' }
  const labels = traefikLabels(plan([at('https', 443)], resolved).routed, 'net', resolved)
  const router = 'traefik.http.routers.web-0123456789ab-play-example-org-https'
  expect(labels).toMatchObject({
    [`${router}.tls.certresolver`]: 'dns',
    [`${router}.tls.domains[0].main`]: '*.play.example.org',
  })
})

test('reports a missing service', () => {
  expect(() => plan([{ ...at('tcp', 1), containerName: 'gone' }])).toThrow(
    /port 1 of gone: the challenge has no such service\. It has web, db\./,
  )
})
