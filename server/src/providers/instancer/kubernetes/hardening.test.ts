import { afterEach, beforeEach, expect, test } from 'vitest'
import { kubernetesOn, orderOf, twoPods } from '../../../../test/kubernetes-instances.ts'
import { startFakeKubernetes, type FakeKubernetes } from '../../../../test/fake-kubernetes/server.ts'

const { signal } = new AbortController()
let cluster: FakeKubernetes
beforeEach(async () => {
  cluster = await startFakeKubernetes()
})
afterEach(() => cluster[Symbol.asyncDispose]())

async function stored({ pods = twoPods as readonly object[], more = {} } = {}) {
  const instancer = await kubernetesOn({ url: cluster.url, more })
  const order = orderOf('team-1', pods)
  await instancer.create(pods === twoPods ? order : { ...order, expose: [] }, signal)
  return (kind: string, name: string) => {
    const found = cluster.all(kind).find(({ metadata }) => metadata.name === name)
    if (!found) throw new Error(`no ${kind} ${name}`)
    return found
  }
}

test('pods get no token, no service links, public name servers, and no privileges by default', async () => {
  const find = await stored()
  expect(find('Deployment', 'web').spec).toMatchObject({
    replicas: 1,
    template: {
      metadata: { annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['1.1.1.1', '8.8.8.8'] },
        hostAliases: [{ ip: '10.96.0.1', hostnames: ['web'] }],
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
        ],
      },
    },
  })
  const [namespace] = cluster.all('Namespace')
  expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
  expect(find('LimitRange', 'defaults').spec).toMatchObject({
    limits: [{ default: { cpu: '500m', memory: '256Mi', 'ephemeral-storage': '1Gi' } }],
  })
  expect(find('ResourceQuota', 'instance').spec).toMatchObject({
    hard: {
      'services.loadbalancers': '0',
      persistentvolumeclaims: '0',
      'limits.cpu': '20',
      'limits.memory': '16Gi',
      'limits.ephemeral-storage': '40Gi',
    },
  })
})

test("allowPrivileged keeps the author's settings except for the token, the nodes and the runtime", async () => {
  const securityContext = { runAsUser: 0, capabilities: { add: ['NET_BIND_SERVICE'] } }
  const spec = {
    automountServiceAccountToken: true,
    runtimeClassName: 'runc',
    nodeSelector: { pool: 'system', disk: 'fast' },
    terminationGracePeriodSeconds: 1,
    securityContext: { runAsNonRoot: false },
    containers: [{ name: 'main', image: 'a', env: [{ name: 'SVC_FLAG', value: 'mine' }], securityContext }],
  }
  const more = {
    allowPrivileged: true,
    runtimeClass: 'gvisor',
    nodeSelector: { pool: 'instances' },
    registries: [{ server: 'registry.test', username: 'me', password: 'secret' }],
  }
  const find = await stored({ pods: [{ name: 'web', spec }], more })
  const { template } = find('Deployment', 'web').spec as { template: { spec: object } }
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    runtimeClassName: 'gvisor',
    nodeSelector: { pool: 'instances', disk: 'fast' },
    terminationGracePeriodSeconds: 1,
    imagePullSecrets: [{ name: 'pennant-registries' }],
    securityContext: { runAsNonRoot: false, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        env: [
          { name: 'SVC_FLAGS' },
          { name: 'RCTF_FLAGS', valueFrom: { secretKeyRef: { key: 'SVC_FLAGS' } } },
          { name: 'SVC_EXPOSED_HOSTNAMES' },
          { name: 'RCTF_EXPOSED_HOSTNAMES' },
          { name: 'SVC_FLAG', value: 'mine' },
        ],
        securityContext: { runAsUser: 0, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } },
      },
    ],
  })
  expect(find('Secret', 'pennant-registries')).toMatchObject({ type: 'kubernetes.io/dockerconfigjson' })
})

test('stores flags in a Secret and nowhere else', async () => {
  const find = await stored()
  const { stringData } = find('Secret', 'pennant-instance') as unknown as {
    stringData: Record<string, string>
  }
  expect(stringData).toMatchObject({ SVC_FLAG: 'flag{team-1}', SVC_FLAGS: '["flag{team-1}"]' })
  expect(JSON.parse(stringData['SVC_EXPOSED_HOSTNAMES'] ?? '')).toMatchObject([
    { kind: 'http', containerName: 'web', hostPrefix: 'front', containerPort: 80 },
    { kind: 'https' },
    { kind: 'tcp', host: 'nodes.test', port: 30_000 },
    { kind: 'tcp-ssl' },
  ])
  const others = [...cluster.store.objects.values()].filter(({ kind }) => kind !== 'Secret')
  expect(JSON.stringify(others)).not.toContain('flag{')
})

test('network policies isolate pods before the first one starts', async () => {
  const find = await stored()
  const isolated = find('NetworkPolicy', 'isolate').spec
  expect(isolated).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ podSelector: {} }] }],
    egress: [{ to: [{ podSelector: {} }] }],
  })
  const ranges = JSON.stringify(find('NetworkPolicy', 'egress').spec)
  for (const range of ['169.254.0.0/16', '10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12', 'fc00::/7'])
    expect(ranges).toContain(range)
  expect(find('NetworkPolicy', 'expose-0').spec).toMatchObject({
    podSelector: { matchLabels: { 'pennant/pod': 'web' } },
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'traefik' } } }],
        ports: [{ port: 8080 }],
      },
    ],
  })
  const kinds = cluster.asked.filter(({ method }) => method === 'POST').map(({ url }) => url)
  const last = kinds.findLastIndex((url) => url.includes('networkpolicies'))
  expect(last).toBeLessThan(kinds.findIndex((url) => url.includes('deployments')))
})

test('only pods with egress have its label, and a pod without ports has no service', async () => {
  const find = await stored()
  expect(find('Deployment', 'web').spec).toMatchObject({
    template: { metadata: { labels: { 'pennant/egress': 'true' } } },
  })
  expect(find('Deployment', 'worker').spec).toMatchObject({
    template: { metadata: { labels: { 'pennant/egress': 'false' } } },
  })
  expect(cluster.all('Service').map(({ metadata }) => metadata.name)).toEqual(['web', 'expose-2'])
})

test("an author's labels cannot override ours", async () => {
  const labels = { 'pennant/egress': 'true', 'pennant/pod': 'other', mine: 'yes' }
  const spec = { containers: [{ name: 'main', image: 'a' }] }
  const find = await stored({ pods: [{ name: 'web', labels, spec }], more: { allowPrivileged: true } })
  expect(find('Deployment', 'web').spec).toMatchObject({
    template: { metadata: { labels: { 'pennant/egress': 'false', 'pennant/pod': 'web', mine: 'yes' } } },
  })
})

test('each resource has a limit, even if the operator sets only some', async () => {
  const more = { defaultLimits: { cpu: '1' }, quota: { 'limits.cpu': '4' } }
  const volumes = [{ name: 'scratch', emptyDir: { medium: 'Memory' } }]
  const spec = { containers: [{ name: 'main', image: 'a' }], volumes }
  const find = await stored({ pods: [{ name: 'web', spec }], more })
  expect(find('LimitRange', 'defaults').spec).toMatchObject({
    limits: [{ default: { cpu: '1', memory: '256Mi', 'ephemeral-storage': '1Gi' } }],
  })
  expect(find('ResourceQuota', 'instance').spec).toMatchObject({
    hard: { 'limits.cpu': '4', 'limits.ephemeral-storage': '40Gi' },
  })
  expect(find('Deployment', 'web').spec).toMatchObject({
    template: { spec: { volumes: [{ emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }] } },
  })
})
