import {
  type ComponentState,
  badIncident,
  ComponentName,
  createIncident,
  deleteIncident,
  goodIncident,
  goodIncidentDeleted,
  goodStatus,
  readStatus,
  updateIncident,
} from '@pennant/contract/status.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { z } from 'zod'
import { on } from '../handler.ts'
import type { World } from '../world.ts'

type Incident = World['incidents'][number]

type States = Record<z.output<typeof ComponentName>, z.output<typeof ComponentState>>

const WELL: States = {
  site: 'ok',
  flags: 'ok',
  scoreboard: 'ok',
  stream: 'ok',
  instances: 'ok',
  adminBot: 'ok',
  mail: 'ok',
  ranking: 'ok',
}

function statesOf({ status, incidents }: World): Partial<States> {
  if (status === 'unknown') return { adminBot: 'unknown', mail: 'unknown' }
  if (status === 'down')
    return { flags: 'down', scoreboard: 'degraded', stream: 'degraded', mail: 'unknown', ranking: 'down' }
  return incidents.some(({ state }) => state !== 'resolved') ? { instances: 'degraded' } : {}
}

const find = ({ incidents }: World, id: string) => incidents.findIndex((incident) => incident.id === id)

export const statusEndpoints = [
  on(readStatus, ({ world }) => {
    const now = world.now()
    const states = { ...WELL, ...statesOf(world) }
    return goodStatus({
      now,
      components: ComponentName.options.map((name) => ({ name, state: states[name] })),
      incidents: world.status === 'unknown' ? [] : world.incidents,
      incidentsAt: world.status === 'unknown' ? null : world.status === 'down' ? now - HOUR_MS : now,
    })
  }),

  on(createIncident, ({ world, body: { text, ...fields } }) => {
    const at = world.now()
    const incident: Incident = {
      ...fields,
      id: `incident-${world.incidents.length + 1}`,
      startedAt: at,
      resolvedAt: null,
      updates: [{ at, state: fields.state, text }],
    }
    world.incidents.unshift(incident)
    return goodIncident(incident)
  }),

  on(updateIncident, ({ world, params: { id }, body: { state, text, ...fields } }) => {
    const index = find(world, id)
    const incident = world.incidents[index]
    if (!incident) return badIncident()
    const at = world.now()
    const { title = incident.title, severity = incident.severity, components = incident.components } = fields
    const resolvedAt = state === 'resolved' ? at : null
    const updates = [{ at, state, text }, ...incident.updates]
    const next = { ...incident, title, severity, components, state, resolvedAt, updates }
    world.incidents[index] = next
    return goodIncident(next)
  }),

  on(deleteIncident, ({ world, params: { id } }) => {
    const index = find(world, id)
    if (index < 0) return badIncident()
    world.incidents.splice(index, 1)
    return goodIncidentDeleted()
  }),
]
