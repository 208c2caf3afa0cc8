import { z } from 'zod'
import { ServiceAddress } from '../../service-address.ts'

const Label = z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)

/** Two names and a hash of 20 fit into the 63 letters of a namespace. */
const ShortLabel = Label.max(20)

const Quantities = z.record(z.string(), z.string())

export type KubernetesOptions = z.output<typeof KubernetesOptions>
export const KubernetesOptions = z
  .strictObject({
    kubeconfig: z.string().min(1).optional().describe('Path of a kubeconfig, or its text.'),
    inCluster: z.boolean().default(false).describe('Use the service account of the pod that this runs in.'),
    apiUrl: ServiceAddress.optional().describe('Address of the API server, with `token`.'),
    token: z.string().min(1).optional().describe('Bearer token for `apiUrl`.'),
    caCertificate: z.base64().optional().describe('Certificate of the cluster, PEM in base64.'),
    deployment: ShortLabel.default('pennant').describe('Platforms that share a cluster need one each.'),
    namespacePrefix: ShortLabel.default('inst').describe('Names of instance namespaces begin with it.'),
    domain: z.string().min(1).max(180).describe('Host names of instances end with this.'),
    ingressClass: z.string().min(1).optional().describe('Class of the Ingress objects.'),
    proxyNamespace: Label.max(63).default('traefik').describe('Namespace of the Ingress proxy.'),
    tcpHost: z
      .string()
      .min(1)
      .optional()
      .describe('Host that leads to node ports. Without it tcp is not offered.'),
    nodeSelector: z
      .record(z.string(), z.string())
      .default({})
      .describe('Labels of nodes that run instances.'),
    runtimeClass: z.string().min(1).optional().describe('Runtime class of pods, such as gvisor.'),
    podSecurity: z
      .enum(['restricted', 'baseline', 'privileged'])
      .default('restricted')
      .describe('Pod security standard of instances. Pods that run as root need `baseline`.'),
    registries: z
      .array(z.strictObject({ server: z.string().min(1), username: z.string(), password: z.string() }))
      .max(20)
      .default([])
      .describe('Sign-ins for pulling images.'),
    quota: Quantities.default({}).describe('Further limits of the ResourceQuota of an instance.'),
    dns: z
      .array(z.union([z.ipv4(), z.ipv6()]))
      .min(1)
      .max(3)
      .default(['1.1.1.1', '8.8.8.8'])
      .describe('Name servers of pods; public ones, since pods do not reach the cluster.'),
    egressExcept: z.array(z.cidrv4()).max(100).default([]).describe('Further ranges out of reach for pods.'),
    defaultLimits: Quantities.default({
      cpu: '500m',
      memory: '256Mi',
      'ephemeral-storage': '1Gi',
    }).describe('Limits of containers that name none.'),
    defaultRequests: Quantities.default({ cpu: '50m', memory: '64Mi' }).describe(
      'Requests of containers that name none.',
    ),
    maxInstances: z.int().min(1).max(10_000).default(500).describe('What the cluster is said to hold.'),
  })
  .refine(({ token, apiUrl }) => (token === undefined) === (apiUrl === undefined), {
    error: 'apiUrl and token belong together',
  })
  .refine(
    ({ kubeconfig, inCluster, apiUrl }) =>
      [kubeconfig, inCluster || undefined, apiUrl].filter(Boolean).length === 1,
    {
      error: 'exactly one of kubeconfig, inCluster and apiUrl is needed',
    },
  )
