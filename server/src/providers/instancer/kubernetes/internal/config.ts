import { z } from 'zod'
import { Name, Port } from './names.ts'
import type { KubernetesOptions } from './options.ts'
import { SAFE_LABEL, SafePodSpec } from './pod-spec.ts'

/** An instance is a handful of pods; more is a mistake that would fill the cluster. */
export const MAX_PODS = 20
const MAX_PORTS = 20

const ServicePort = z.strictObject({
  port: Port,
  targetPort: Port.optional().describe('Port in the container, if different.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP'),
  name: Name.max(15).optional(),
})

/** With the operator's consent every Kubernetes field is passed through; the cluster validates it. */
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

const AnyPodSpec = z.looseObject({
  containers: z.array(Container).min(1).max(10),
  initContainers: z.array(Container).max(10).optional(),
  securityContext: z.looseObject({}).optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  hostAliases: z.array(z.looseObject({})).max(50).optional(),
  imagePullSecrets: z.array(z.looseObject({})).max(20).optional(),
  volumes: z
    .array(z.looseObject({ emptyDir: z.looseObject({}).optional() }))
    .max(50)
    .optional(),
})

export type Pod = z.output<typeof AnyPod>
const AnyPod = z.strictObject({
  name: Name,
  ports: z.array(ServicePort).max(MAX_PORTS).default([]).describe('A pod without ports has no Service.'),
  spec: AnyPodSpec,
  egress: z
    .boolean()
    .default(false)
    .describe('Whether the pod can reach the internet. Private networks stay blocked.'),
  labels: z.record(z.string(), z.string()).default({}),
})

const SafePod = AnyPod.extend({
  spec: SafePodSpec,
  labels: z
    .record(
      z.string().regex(SAFE_LABEL, {
        error:
          'must be a name without a domain, or one of app.kubernetes.io: other programs act on other labels',
      }),
      z.string().max(63),
    )
    .default({}),
})

export type Config = z.output<ReturnType<typeof configOf<typeof AnyPod>>>
function configOf<Schema extends typeof AnyPod | typeof SafePod>(pod: Schema) {
  return z.strictObject({
    pods: z
      .array(pod)
      .min(1)
      .max(MAX_PODS)
      .refine((pods) => new Set(pods.map(({ name }) => name)).size === pods.length, {
        error: 'pods must have different names',
      }),
  })
}

/** Schema of a challenge's configuration. */
export function configFor({
  allowPrivileged,
}: Pick<KubernetesOptions, 'allowPrivileged'>): z.ZodType<Config> {
  return allowPrivileged ? configOf(AnyPod) : configOf(SafePod)
}

export const Config = configFor({ allowPrivileged: false })

export const example = Config.parse({
  pods: [
    {
      name: 'web',
      ports: [{ port: 8080 }],
      spec: { containers: [{ name: 'web', image: 'nginxinc/nginx-unprivileged:stable' }] },
    },
  ],
})
