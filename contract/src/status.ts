import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { organiserRoute, reply, route } from './route.ts'

// The public status page: docs/reference/status.md

/** Parts of the service as players see them. Those that a deployment does not have are missing. */
export const ComponentName = z.enum([
  'site',
  'flags',
  'scoreboard',
  'stream',
  'instances',
  'adminBot',
  'mail',
  'ranking',
])
/** `unknown`: nothing could be read about it. */
export const ComponentState = z.enum(['ok', 'unknown', 'degraded', 'down'])
export const IncidentSeverity = z.enum(['notice', 'minor', 'major'])
export const IncidentState = z.enum(['investigating', 'identified', 'monitoring', 'resolved'])

export const MAX_UPDATES = 100
const Title = z.string().trim().min(1).max(120)
/** Markdown. */
const Text = z.string().trim().min(1).max(4000)
const Components = z.array(ComponentName).max(ComponentName.options.length)

export const Incident = z.object({
  id: z.string(),
  title: z.string(),
  severity: IncidentSeverity,
  components: z.array(ComponentName),
  state: IncidentState,
  startedAt: UnixMs.describe('Unix milliseconds, as everywhere here.'),
  resolvedAt: UnixMs.nullable().describe('Null while it lasts.'),
  updates: z
    .array(z.object({ at: UnixMs, state: IncidentState, text: z.string() }))
    .max(MAX_UPDATES)
    .describe('Newest first.'),
})

export const goodStatus = reply(
  200,
  'goodStatus',
  'The state of the service.',
  z.object({
    now: UnixMs,
    components: z.array(z.object({ name: ComponentName, state: ComponentState })),
    incidents: z
      .array(Incident)
      .describe('Those that last, and those that ended in the last seven days; newest first.'),
    incidentsAt: UnixMs.nullable().describe(
      'When they were read; null if that was not possible since the start, and they are unknown.',
    ),
  }),
)
export const goodIncident = reply(200, 'goodIncident', 'The incident.', Incident)
export const goodIncidentDeleted = reply(200, 'goodIncidentDeleted', 'The incident was deleted.')
export const badIncident = reply(404, 'badIncident', 'No such incident.')
export const badIncidentFull = reply(
  409,
  'badIncidentFull',
  'The incident has too many updates: begin another one.',
)

export const readStatus = route({
  method: 'GET',
  path: '/api/v2/status',
  auth: 'public',
  shows: [],
  summary: 'The state of each part of the service, and incidents that organisers have posted.',
  limits: [],
  replies: [goodStatus],
})

const organisers = { perms: ['settingsWrite'], scope: 'announcements:write', bodyCap: 'admin' } as const

export const createIncident = organiserRoute({
  ...organisers,
  method: 'POST',
  path: '/api/v2/admin/incidents',
  summary: 'Posts an incident with its first update.',
  body: z.object({
    title: Title,
    severity: IncidentSeverity,
    components: Components,
    state: IncidentState,
    text: Text,
  }),
  replies: [goodIncident],
})

export const updateIncident = organiserRoute({
  ...organisers,
  method: 'POST',
  path: '/api/v2/admin/incidents/:id/updates',
  summary: 'Adds an update, which also sets the state, and changes the other fields that are sent.',
  params: z.object({ id: z.string().min(1).max(64) }),
  body: z.object({
    state: IncidentState,
    text: Text,
    title: Title.optional(),
    severity: IncidentSeverity.optional(),
    components: Components.optional(),
  }),
  replies: [goodIncident, badIncident, badIncidentFull],
})

export const deleteIncident = organiserRoute({
  method: 'DELETE',
  path: '/api/v2/admin/incidents/:id',
  perms: ['settingsWrite'],
  scope: 'announcements:write',
  summary: 'Deletes an incident that was posted by mistake.',
  params: z.object({ id: z.string().min(1).max(64) }),
  replies: [goodIncidentDeleted, badIncident],
})

export const statusRouteList = [readStatus, createIncident, updateIncident, deleteIncident] as const
