import {
  badIncident,
  createIncident,
  deleteIncident,
  goodIncident,
  goodIncidentDeleted,
  goodStatus,
  readStatus,
  updateIncident,
} from '@pennant/contract/status.ts'
import { on } from '../handler.ts'
import type { World } from '../world.ts'

type Incident = World['incidents'][number]

const find = ({ incidents }: World, id: string) => incidents.findIndex((incident) => incident.id === id)

export const statusEndpoints = [
  on(readStatus, ({ world }) => {
    const isHit = world.incidents.some(({ state }) => state !== 'resolved')
    return goodStatus({
      now: world.now(),
      components: [
        { name: 'site', state: 'ok' },
        { name: 'flags', state: 'ok' },
        { name: 'scoreboard', state: 'ok' },
        { name: 'instances', state: isHit ? 'degraded' : 'ok' },
        { name: 'adminBot', state: 'ok' },
        { name: 'mail', state: 'ok' },
      ],
      incidents: world.incidents,
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
