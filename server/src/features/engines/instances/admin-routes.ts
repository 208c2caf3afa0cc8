import {
  goodAdminInstances,
  listAdminInstances,
  stopAdminInstance,
} from '@pennant/contract/admin-instances.ts'
import { badInstancerError, goodInstanceStatus } from '@pennant/contract/instances.ts'
import { badChallenge, badEndpoint } from '@pennant/contract/replies.ts'
import type { PersonName } from '../../../lib/acting-person.ts'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Instancers } from '../../../providers/instancer/registry.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { WorldView } from '../../../world/model.ts'
import { adminInstances } from './admin-views.ts'
import type { Report } from '../../../db/report.ts'
import type { Lifecycle } from './lifecycle.ts'
import { instanceSettings, requireInstancer } from './settings.ts'
import { listSlots } from './slots.ts'
import { instanceState } from './views.ts'
import type { InstanceWatch } from './watch.ts'

export interface AdminInstanceDeps {
  readonly db: Database
  readonly now: () => number
  readonly world: () => WorldView
  readonly instancers: Instancers | null
  readonly lifecycle: Lifecycle
  /** Called after an instance was stopped. */
  readonly onChange: Report
  /** Null if no instancer is configured. */
  readonly watch: InstanceWatch | null
  readonly personName: PersonName
}

export function adminInstanceRoutes({
  db,
  now,
  world,
  instancers,
  lifecycle,
  onChange,
  watch,
  personName,
}: AdminInstanceDeps): Endpoint[] {
  return [
    on(listAdminInstances, async ({ query: { limit, offset } }) => {
      if (!watch) return badEndpoint()
      const [views, slots] = await Promise.all([watch.readViews(), listSlots(db)])
      const instances = adminInstances(views, slots, { world: world(), now: now(), personName })
      const hosts = views.flatMap(({ instancer, capacity }) =>
        capacity.map(({ avoidedPorts, ...host }) => ({
          instancer,
          ...host,
          ...(avoidedPorts && { avoidedPorts: [...avoidedPorts] }),
        })),
      )
      return goodAdminInstances({
        total: instances.length,
        instances: instances.slice(offset, offset + limit),
        hosts,
      })
    }),

    on(stopAdminInstance, async ({ params: { challengeId, userId: teamId }, team, ip }) => {
      if (!instancers) return badEndpoint()
      const challenge = world().challenge(challengeId)
      if (!challenge) return badChallenge()
      try {
        const settings = instanceSettings(challenge)
        if (!settings) return badEndpoint()
        const { integrationId, config } = settings
        const key = { teamId, integrationId, config }
        const instancer = requireInstancer(instancers, settings)
        const target = `${challengeId} ${teamId}`
        // Before the engine is called: a process that dies in between must not hide the stop.
        await db.query(recordAdminAction({ actorId: team.id, action: 'instance.stop', target, ip }))
        const details = await lifecycle.stop(instancer, key)
        await onChange({ challengeId, teamId })
        return goodInstanceStatus(instanceState(details, settings))
      } catch (error) {
        if (error instanceof ProviderError) return badInstancerError({ message: error.message })
        throw error
      }
    }),
  ]
}
