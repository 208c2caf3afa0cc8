import { isNodePort, isOffered, type Exposed } from './expose.ts'
import { exposeName, LABEL } from './names.ts'
import type { KubernetesOptions } from './options.ts'

/**
 * Not the internet: private, link-local (with the clouds' metadata services), shared, test and multicast
 * ranges (IANA registries).
 */
const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const PRIVATE_V6 = ['::1/128', '::ffff:0:0/96', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8']

function policy(name: string, spec: object): object {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name }, spec }
}

/** Pods reach only each other; nothing else can reach them. */
function isolate(): object {
  const peers = [{ podSelector: {} }]
  return policy('isolate', {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: peers }],
    egress: [{ to: peers }],
  })
}

function egress(options: KubernetesOptions): object {
  const to = [
    { ipBlock: { cidr: '0.0.0.0/0', except: [...PRIVATE_V4, ...options.egressExcept] } },
    { ipBlock: { cidr: '::/0', except: PRIVATE_V6 } },
  ]
  return policy('egress', {
    podSelector: { matchLabels: { [LABEL.egress]: 'true' } },
    policyTypes: ['Egress'],
    egress: [{ to }],
  })
}

/**
 * Admits the proxy's namespace for HTTP, and any source for a NodePort, because nodes hide the client
 * address. Pods of other instances cannot use it, since their own egress policy blocks private addresses.
 */
function exposed(options: KubernetesOptions, wanted: readonly Exposed[]): object[] {
  return wanted.flatMap(({ kind, pod, port }, index) => {
    if (!isOffered(options, kind)) return []
    const proxy = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': options.proxyNamespace } },
    }
    const everybody = [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }]
    const ports = [{ protocol: port.protocol, port: port.targetPort ?? port.port }]
    return policy(exposeName(index), {
      podSelector: { matchLabels: { [LABEL.pod]: pod.name } },
      policyTypes: ['Ingress'],
      ingress: [{ from: isNodePort(kind) ? everybody : [proxy], ports }],
    })
  })
}

/** Created before the first pod. */
export function policies(options: KubernetesOptions, wanted: readonly Exposed[]): object[] {
  return [isolate(), egress(options), ...exposed(options, wanted)]
}
