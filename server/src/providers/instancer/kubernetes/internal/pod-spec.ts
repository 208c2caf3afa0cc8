import { z } from 'zod'
import { SAFE_CAPABILITIES, SAFE_SYSCTLS } from '../../safe-settings.ts'
import { FLAGS_SECRET, Name, Port } from './names.ts'

// The pod fields that authors may use: an allowlist of Kubernetes' own PodSpec. Any other field could reach
// nodes, other instances or secrets of the platform, or displace other pods, now or in a later Kubernetes
// version.

const MAX_ENTRIES = 50
const MAX_TEXT = 65_536
/** A pod that terminates slowly occupies the cluster. */
const MAX_GRACE_SECONDS = 60

/** Labels that other programs in the cluster do not act on. */
export const SAFE_LABEL = /^(app\.kubernetes\.io\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/

const Text = z.string().max(MAX_TEXT)
const Path = z.string().regex(/^\//, { error: 'must be an absolute path' }).max(4096)
const Id = z.int().min(0).max(4_294_967_295)
const Seconds = z.int().min(0).max(86_400)
const Quantity = z.union([
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,9})?([numkMGTPE]|[KMGTPE]i)?$/, { error: 'must be a quantity, such as 64Mi' }),
  z.number().min(0),
])
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_ENTRIES)
const oneOf = (names: readonly string[]) =>
  z.string().refine((name) => names.includes(name), { error: unlessPrivileged('this value') })

/** A strict object; all fields are optional unless the shape says otherwise. */
function allowed<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unlessPrivileged((issue['keys'] as readonly string[]).join(', '))
        : undefined,
  })
}

function unlessPrivileged(what: string): string {
  return `${what} is refused unless the instancer has allowPrivileged`
}

const Exec = allowed({ command: listOf(Text).optional() })
const NamedPort = z.union([Port, z.string().regex(/^[a-z0-9-]{1,15}$/)])

/** Without `host`: the probe comes from the node, where no network policy applies. */
const Probe = allowed({
  exec: Exec.optional(),
  httpGet: allowed({
    path: Text.optional(),
    port: NamedPort,
    scheme: z.enum(['HTTP', 'HTTPS']).optional(),
    httpHeaders: listOf(allowed({ name: Text, value: Text })).optional(),
  }).optional(),
  tcpSocket: allowed({ port: NamedPort }).optional(),
  grpc: allowed({ port: Port, service: Text.optional() }).optional(),
  initialDelaySeconds: Seconds.optional(),
  periodSeconds: Seconds.optional(),
  timeoutSeconds: Seconds.optional(),
  successThreshold: Seconds.optional(),
  failureThreshold: Seconds.optional(),
}).optional()

const Hook = allowed({ exec: Exec.optional(), sleep: allowed({ seconds: Seconds }).optional() }).optional()

/** Only the instance's own secret: the namespace also contains registry credentials. */
const EnvSource = allowed({
  secretKeyRef: allowed({
    name: z.literal(FLAGS_SECRET),
    key: Text,
    optional: z.boolean().optional(),
  }).optional(),
  fieldRef: allowed({
    fieldPath: oneOf(['metadata.name', 'metadata.uid', 'status.podIP']),
    apiVersion: z.literal('v1').optional(),
  }).optional(),
})

const Resources = allowed({
  cpu: Quantity.optional(),
  memory: Quantity.optional(),
  'ephemeral-storage': Quantity.optional(),
}).optional()

const Seccomp = allowed({ type: z.literal('RuntimeDefault') }).optional()
const User = {
  runAsUser: Id.optional(),
  runAsGroup: Id.optional(),
  runAsNonRoot: z.boolean().optional(),
  seccompProfile: Seccomp,
}

const Capabilities = allowed({
  add: listOf(oneOf(SAFE_CAPABILITIES)).optional(),
  drop: listOf(Text)
    .refine((dropped) => dropped.includes('ALL'), 'must have ALL')
    .optional(),
}).optional()

const container = {
  name: Name,
  image: z.string().min(1).max(512),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).optional(),
  command: listOf(Text).optional(),
  args: listOf(Text).optional(),
  workingDir: Path.optional(),
  env: z
    .array(allowed({ name: Text, value: Text.optional(), valueFrom: EnvSource.optional() }))
    .max(200)
    .optional(),
  // Without `hostPort`.
  ports: listOf(
    allowed({
      name: z.string().max(15).optional(),
      containerPort: Port,
      protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional(),
    }),
  ).optional(),
  resources: allowed({ limits: Resources, requests: Resources }).optional(),
  // Without `subPath`, which has had escapes from volumes before.
  volumeMounts: listOf(allowed({ name: Name, mountPath: Path, readOnly: z.boolean().optional() })).optional(),
  livenessProbe: Probe,
  readinessProbe: Probe,
  startupProbe: Probe,
  lifecycle: allowed({ postStart: Hook, preStop: Hook }).optional(),
  stdin: z.boolean().optional(),
  stdinOnce: z.boolean().optional(),
  tty: z.boolean().optional(),
  securityContext: allowed({
    ...User,
    readOnlyRootFilesystem: z.boolean().optional(),
    allowPrivilegeEscalation: z.literal(false).optional(),
    privileged: z.literal(false).optional(),
    capabilities: Capabilities,
  }).optional(),
}

export const SafePodSpec = allowed({
  containers: z.array(allowed(container)).min(1).max(10),
  initContainers: z
    .array(allowed({ ...container, restartPolicy: z.literal('Always').optional() }))
    .max(10)
    .optional(),
  // Only the volume type that is private to the pod.
  volumes: listOf(
    allowed({
      name: Name,
      emptyDir: allowed({ medium: z.enum(['', 'Memory']).optional(), sizeLimit: Quantity.optional() }),
    }),
  ).optional(),
  hostname: Name.optional(),
  hostAliases: listOf(
    allowed({ ip: z.union([z.ipv4(), z.ipv6()]), hostnames: listOf(Text).optional() }),
  ).optional(),
  restartPolicy: z.literal('Always').optional(),
  terminationGracePeriodSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).optional(),
  shareProcessNamespace: z.boolean().optional(),
  // For each of these, false is the safe value.
  hostUsers: z.literal(false).optional(),
  enableServiceLinks: z.literal(false).optional(),
  automountServiceAccountToken: z.literal(false).optional(),
  securityContext: allowed({
    ...User,
    fsGroup: Id.optional(),
    fsGroupChangePolicy: z.enum(['OnRootMismatch', 'Always']).optional(),
    supplementalGroups: listOf(Id).optional(),
    sysctls: listOf(allowed({ name: oneOf(SAFE_SYSCTLS), value: Text })).optional(),
  }).optional(),
})
