import { z } from 'zod'
import { ChallengeId } from './fields.ts'
import { badChallenge, badEndpoint } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// A team's instance of a challenge (docs/reference/instances.md), and the instancers that organisers can
// choose (docs/reference/administration.md#information-about-providers).

export const InstanceStatus = z.enum(['stopped', 'running', 'starting', 'stopping', 'errored'])
export const EndpointKind = z.enum(['tcp', 'udp', 'tcp-ssl', 'http', 'https'])

/** The endpoint of a part of an instance. Port 0: this instancer cannot expose it. */
export const InstanceEndpoint = z.object({
  kind: EndpointKind,
  host: z.string(),
  port: z.int().min(0).max(65535),
  title: z.string().optional(),
})

export const InstanceState = z.object({
  status: InstanceStatus,
  timeLeftMilliseconds: z.int().nullable(),
  endpoints: z.array(InstanceEndpoint),
  restarts: z
    .int()
    .optional()
    .describe('How often a service of a failed instance was restarted; absent otherwise.'),
  queuePosition: z
    .int()
    .min(1)
    .optional()
    .describe('For a start that waits for others: its position, from 1; absent otherwise.'),
})

export const goodInstanceStatus = reply(200, 'goodInstanceStatus', 'Instance state.', InstanceState)
export const badInstancerError = reply(
  400,
  'badInstancerError',
  'The instancer reported an error.',
  z.object({ message: z.string() }),
)

const instance = {
  compatible: true,
  path: '/api/v2/integrations/challs/:id/instance',
  auth: 'required',
  scope: 'instances',
  notBanned: true,
  gate: { started: 'challsRead' },
  shows: ['challenges'],
  params: z.object({ id: ChallengeId }),
  replies: [goodInstanceStatus, badEndpoint, badChallenge, badInstancerError],
} as const

const WithCaptcha = z.object({ captchaCode: z.string().optional() })

export const readInstance = route({
  ...instance,
  method: 'GET',
  summary: "Reads the team's instance.",
  limits: ['teamReads'],
})

export const startInstance = route({
  ...instance,
  method: 'PUT',
  summary: "Starts the team's instance. A second start returns the state of the first.",
  needsAcceptance: true,
  captcha: { action: 'instancerStart', field: 'captchaCode' },
  body: WithCaptcha,
  limits: ['teamWrites'],
})

export const extendInstance = route({
  ...instance,
  method: 'PATCH',
  summary: "Lets the team's instance live for the configured time from now on.",
  captcha: { action: 'instancerExtend', field: 'captchaCode' },
  body: WithCaptcha,
  limits: ['teamWrites'],
})

export const stopInstance = route({
  ...instance,
  method: 'DELETE',
  summary: "Stops the team's instance.",
  limits: ['teamWrites'],
})

const Json = z.record(z.string(), z.unknown())

/** JSON Schema of `instancerConfig.config`, and a complete example. */
const InstancerSchema = z.object({ schema: Json, defaults: Json })

export const goodInstancerSchema = reply(
  200,
  'goodInstancerSchema',
  'Instancer configuration schema.',
  InstancerSchema.extend({
    defaultInstancer: z.string(),
    instancers: z.array(
      InstancerSchema.extend({ name: z.string(), canStop: z.boolean(), canExtend: z.boolean() }),
    ),
  }),
)

export const readInstancerSchema = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/instancer/schema',
  summary: 'Lists the configuration fields that each configured instancer accepts; the default one first.',
  perms: ['challsRead'],
  scope: 'challenges:read',
  compatible: true,
  replies: [goodInstancerSchema, badEndpoint],
})

export const instanceRouteList = [
  readInstance,
  startInstance,
  extendInstance,
  stopInstance,
  readInstancerSchema,
] as const
