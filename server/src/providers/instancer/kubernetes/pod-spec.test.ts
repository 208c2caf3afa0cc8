import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kubernetesOn, orderOf } from '../../../../test/kubernetes-instances.ts'
import { startFakeKubernetes, type FakeKubernetes } from '../../../../test/fake-kubernetes/server.ts'

const { signal } = new AbortController()
let cluster: FakeKubernetes
beforeEach(async () => {
  cluster = await startFakeKubernetes()
})
afterEach(() => cluster[Symbol.asyncDispose]())

const main = { name: 'main', image: 'registry.test/app:1' }
const volume = (source: object) => ({ volumes: [{ name: 'data', ...source }] })
const container = (fields: object) => ({ containers: [{ ...main, ...fields }] })
const probe = (action: object) => container({ livenessProbe: action })
const pullSecret = { name: 'pennant-registries', key: '.dockerconfigjson' }

/** Each reaches nodes, the cluster, other pods or secrets of the platform. */
const attacks: readonly (readonly [string, object])[] = [
  ['a folder of the node', volume({ hostPath: { path: '/' } })],
  ['the sign-ins to registries as a volume', volume({ secret: { secretName: 'pennant-registries' } })],
  [
    'the sign-ins to registries as a variable',
    container({ env: [{ name: 'X', valueFrom: { secretKeyRef: pullSecret } }] }),
  ],
  ['all of a secret as variables', container({ envFrom: [{ secretRef: { name: 'pennant-registries' } }] })],
  [
    'a token of the service account',
    volume({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }),
  ],
  ['another service account', { serviceAccountName: 'admin' }],
  ['a disk of the cluster', volume({ persistentVolumeClaim: { claimName: 'shared' } })],
  ['a server of the private network', volume({ nfs: { server: '10.0.0.1', path: '/' } })],
  ['a driver of the node', volume({ csi: { driver: 'secrets-store.csi.k8s.io' } })],
  ['nodes of the control plane', { tolerations: [{ operator: 'Exists' }] }],
  ['the place of other pods', { priorityClassName: 'system-cluster-critical' }],
  ['the network of the node', { hostNetwork: true }],
  ['the processes of the node', { hostPID: true }],
  ['the shared memory of the node', { hostIPC: true }],
  ['a certain node', { nodeName: 'node-1' }],
  ['nodes of a kind', { nodeSelector: { pool: 'system' } }],
  [
    'the node of another pod',
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname' }],
        },
      },
    },
  ],
  ['a weaker runtime', { runtimeClassName: 'runc' }],
  ['another scheduler', { schedulerName: 'mine' }],
  ['names of the cluster', { dnsPolicy: 'ClusterFirst' }],
  ['other sign-ins to registries', { imagePullSecrets: [{ name: 'other' }] }],
  ['all rights on the node', container({ securityContext: { privileged: true } })],
  ['a right on the node', container({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } })],
  ['the usual rights', container({ securityContext: { capabilities: { drop: ['NET_RAW'] } } })],
  ['new rights by programs', container({ securityContext: { allowPrivilegeEscalation: true } })],
  ['no filter of system calls', container({ securityContext: { seccompProfile: { type: 'Unconfined' } } })],
  ['no filter for the pod', { securityContext: { seccompProfile: { type: 'Unconfined' } } }],
  ['settings of the kernel', { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }],
  ['the files of the kernel', container({ securityContext: { procMount: 'Unmasked' } })],
  ['a port of the node', container({ ports: [{ containerPort: 1, hostPort: 1 }] })],
  [
    'a way out of a volume',
    container({ volumeMounts: [{ name: 'data', mountPath: '/x', subPath: '../..' }] }),
  ],
  ['a device of the node', container({ volumeDevices: [{ name: 'data', devicePath: '/dev/sda' }] })],
  ['a request by the node', probe({ httpGet: { host: '169.254.169.254', port: 80 } })],
  ['a connection by the node', probe({ tcpSocket: { host: '10.0.0.1', port: 22 } })],
  [
    'a request by the node at the start',
    container({ lifecycle: { postStart: { httpGet: { host: '10.0.0.1', port: 80 } } } }),
  ],
  [
    'the address of the node',
    container({ env: [{ name: 'X', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }] }),
  ],
  ['an end in a day', { terminationGracePeriodSeconds: 86_400 }],
]

describe.each(attacks)('%s', (_, fields) => {
  const spec = { containers: [main], ...fields }
  const order = { ...orderOf('team-1', [{ name: 'web', spec }]), expose: [] }

  test('reaches the cluster with allowPrivileged', async () => {
    const privileged = await kubernetesOn({ url: cluster.url, more: { allowPrivileged: true } })
    await privileged.create(order, signal)
    const [deployment] = cluster.all('Deployment')
    expect(deployment?.spec).toMatchObject({ template: { spec: atLeast(fields) } })
  })

  test('is refused otherwise, both when it is saved and if it was saved earlier', async () => {
    const strict = await kubernetesOn({ url: cluster.url })
    expect(strict.config.safeParse(order.config).success).toBe(false)
    await expect(strict.create(order, signal)).rejects.toThrow(
      'The instance settings of this challenge are invalid: config.pods.0.spec',
    )
    await expect(strict.prepare?.([order.config], signal)).rejects.toThrow('pods.0.spec')
    expect(cluster.asked).toEqual([])
  })
})

/** Our own variables precede the author's. */
function atLeast(fields: object): object {
  const { containers: [{ env, ...rest }] = [{}] } = fields as { containers?: [{ env?: object[] }] }
  return env ? { containers: [{ ...rest, env: expect.arrayContaining(env) as object[] }] } : fields
}

test('refuses labels that other programs in the cluster act on', async () => {
  const strict = await kubernetesOn({ url: cluster.url })
  const labelled = (label: string) => ({
    pods: [{ name: 'web', labels: { [label]: 'true' }, spec: { containers: [main] } }],
  })
  for (const label of ['azure.workload.identity/use', 'sidecar.istio.io/inject', 'pennant/egress'])
    expect(strict.config.safeParse(labelled(label)).success).toBe(false)
  for (const label of ['mine', 'app.kubernetes.io/name'])
    expect(strict.config.safeParse(labelled(label)).success).toBe(true)
})

test('what authors need is accepted unchanged, by the cluster too', async () => {
  const http = { httpGet: { path: '/', port: 8080 }, periodSeconds: 5 }
  const spec = {
    containers: [
      {
        ...main,
        command: ['serve'],
        args: ['--port', '8080'],
        workingDir: '/app',
        env: [
          { name: 'FLAG', valueFrom: { secretKeyRef: { name: 'pennant-instance', key: 'SVC_FLAG' } } },
          { name: 'ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        ],
        ports: [{ name: 'http', containerPort: 8080 }],
        resources: {
          limits: { cpu: 1, memory: '64Mi', 'ephemeral-storage': '100M' },
          requests: { cpu: '0.1' },
        },
        volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
        readinessProbe: http,
        livenessProbe: { exec: { command: ['true'] } },
        startupProbe: { tcpSocket: { port: 'http' } },
        lifecycle: { preStop: { exec: { command: ['sync'] } } },
        securityContext: {
          runAsUser: 1000,
          readOnlyRootFilesystem: true,
          capabilities: { add: ['CHOWN'], drop: ['ALL'] },
        },
      },
    ],
    initContainers: [{ name: 'first', image: 'a', restartPolicy: 'Always' }],
    volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '10Mi' } }],
    hostname: 'web',
    hostAliases: [{ ip: '127.0.0.1', hostnames: ['me'] }],
    terminationGracePeriodSeconds: 1,
    shareProcessNamespace: true,
    securityContext: {
      runAsNonRoot: true,
      fsGroup: 1000,
      sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }],
    },
  }
  const strict = await kubernetesOn({ url: cluster.url })
  await strict.create({ ...orderOf('team-1', [{ name: 'web', spec }]), expose: [] }, signal)
  const [deployment] = cluster.all('Deployment')
  expect(deployment?.spec).toMatchObject({
    template: { spec: { ...spec, containers: [{ command: ['serve'] }], hostAliases: [{ ip: '127.0.0.1' }] } },
  })
})
