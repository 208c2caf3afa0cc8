import { z } from 'zod'
import { ServiceAddress } from '../../../service-address.ts'

const Label = z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)

/** Two names and a 20-character hash fit into a namespace's 63 characters. */
const ShortLabel = Label.max(20)

const Quantities = z.record(z.string(), z.string())

export const DEFAULT_LIMITS = { cpu: '500m', memory: '256Mi', 'ephemeral-storage': '1Gi' }

/** For a whole instance: a handful of pods, and twice as many while they are replaced. */
export const DEFAULT_QUOTA = {
  'services.loadbalancers': '0',
  persistentvolumeclaims: '0',
  'limits.cpu': '20',
  'limits.memory': '16Gi',
  'limits.ephemeral-storage': '40Gi',
}

export type KubernetesOptions = z.output<typeof KubernetesOptions>
export const KubernetesOptions = z
  .strictObject({
    kubeconfig: z.string().min(1).optional().describe('Path of a kubeconfig, or its text.'),
    inCluster: z.boolean().default(false).describe('Use the service account of the pod that runs Pennant.'),
    apiUrl: ServiceAddress.optional().describe('URL of the API server, with `token`.'),
    token: z.string().min(1).optional().describe('Bearer token for `apiUrl`.'),
    caCertificate: z.base64().optional().describe('CA certificate of the cluster, PEM in base64.'),
    deployment: ShortLabel.default('pennant').describe(
      'Name of this deployment; must be unique within the cluster.',
    ),
    namespacePrefix: ShortLabel.default('inst').describe('Prefix of the names of instance namespaces.'),
    domain: z.string().min(1).max(180).describe('Parent domain of the host names of instances.'),
    ingressClass: z.string().min(1).optional().describe('Class of the Ingress objects.'),
    proxyNamespace: Label.max(63).default('traefik').describe('Namespace of the Ingress proxy.'),
    tcpHost: z
      .string()
      .min(1)
      .optional()
      .describe('Host name for node ports. Without it, `tcp` and `udp` are not available.'),
    nodeSelector: z.record(z.string(), z.string()).default({}).describe('Node selector of instance pods.'),
    runtimeClass: z.string().min(1).optional().describe('Runtime class of pods, such as gvisor.'),
    podSecurity: z
      .enum(['restricted', 'baseline', 'privileged'])
      .default('restricted')
      .describe('Pod Security Standard of instances. Pods that run as root need `baseline`.'),
    registries: z
      .array(z.strictObject({ server: z.string().min(1), username: z.string(), password: z.string() }))
      .max(20)
      .default([])
      .describe('Credentials for pulling images.'),
    quota: Quantities.default({}).describe(
      'Changed or additional limits of the ResourceQuota of an instance: `limits.cpu` (20), `limits.memory` (16Gi), …',
    ),
    dns: z
      .array(z.union([z.ipv4(), z.ipv6()]))
      .min(1)
      .max(3)
      .default(['1.1.1.1', '8.8.8.8'])
      .describe('DNS servers of pods; they must be public, because pods cannot reach the cluster.'),
    egressExcept: z
      .array(z.cidrv4())
      .max(100)
      .default([])
      .describe('Additional ranges that pods cannot reach.'),
    defaultLimits: Quantities.default(DEFAULT_LIMITS).describe(
      'Resource limits of containers that set none.',
    ),
    defaultRequests: Quantities.default({ cpu: '50m', memory: '64Mi' }).describe(
      'Resource requests of containers that set none.',
    ),
    allowPrivileged: z
      .boolean()
      .default(false)
      .describe(
        'Whether organisers can use the whole PodSpec: host namespaces, any volume, tolerations, service accounts.',
      ),
    maxInstances: z
      .int()
      .min(1)
      .max(10_000)
      .default(500)
      .describe('Maximum number of instances in the cluster.'),
  })
  .refine(({ token, apiUrl }) => (token === undefined) === (apiUrl === undefined), {
    error: 'apiUrl and token must be set together',
  })
  .refine(
    ({ kubeconfig, inCluster, apiUrl }) =>
      [kubeconfig, inCluster || undefined, apiUrl].filter(Boolean).length === 1,
    {
      error: 'exactly one of kubeconfig, inCluster and apiUrl is required',
    },
  )
