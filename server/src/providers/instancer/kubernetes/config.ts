import { z } from 'zod'

/** One instance is a handful of pods; more is a mistake that would fill the cluster. */
export const MAX_PODS = 20
const MAX_PORTS = 20

/** Also a service's name, hence a DNS label; shorter, since the cluster appends to it. */
const Name = z
  .string()
  .regex(/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/, { error: 'must be small letters, digits and hyphens' })
const Port = z.int().min(1).max(65_535)

const ServicePort = z.strictObject({
  port: Port,
  targetPort: Port.optional().describe('Port in the container, when it is another.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP'),
  name: Name.max(15).optional(),
})

/** What Kubernetes knows and we do not passes through; the cluster checks it. */
export type Container = z.output<typeof Container>
const Container = z.looseObject({
  name: Name,
  image: z.string().min(1).max(512),
  env: z
    .array(z.looseObject({ name: z.string() }))
    .max(200)
    .optional(),
  securityContext: z.looseObject({ capabilities: z.looseObject({}).optional() }).optional(),
})

const PodSpec = z.looseObject({
  containers: z.array(Container).min(1).max(10),
  initContainers: z.array(Container).max(10).optional(),
  securityContext: z.looseObject({}).optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  hostAliases: z.array(z.looseObject({})).max(50).optional(),
  imagePullSecrets: z.array(z.looseObject({})).max(20).optional(),
})

export type Pod = z.output<typeof Pod>
const Pod = z.strictObject({
  name: Name,
  ports: z.array(ServicePort).max(MAX_PORTS).default([]).describe('Without ports a pod has no service.'),
  spec: PodSpec,
  egress: z.boolean().default(false).describe('May reach the internet, though no private network.'),
  labels: z.record(z.string(), z.string()).default({}),
})

/** What a challenge configures (contract, admin 4.3). */
export const Config = z.strictObject({
  pods: z
    .array(Pod)
    .min(1)
    .max(MAX_PODS)
    .refine((pods) => new Set(pods.map(({ name }) => name)).size === pods.length, {
      error: 'pods need different names',
    }),
})

export const example = Config.parse({
  pods: [
    {
      name: 'web',
      ports: [{ port: 8080 }],
      spec: { containers: [{ name: 'web', image: 'nginxinc/nginx-unprivileged:stable' }] },
    },
  ],
})
