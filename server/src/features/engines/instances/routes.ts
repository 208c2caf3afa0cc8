import {
  badInstancerError,
  extendInstance,
  goodInstanceStatus,
  goodInstancerSchema,
  readInstance,
  readInstancerSchema,
  startInstance,
  stopInstance,
} from '@pennant/contract/instances.ts'
import { badChallenge, badEndpoint } from '@pennant/contract/replies.ts'
import type { ResponsesOf } from '@pennant/contract/route.ts'
import type { Queries } from '../../../db/database.ts'
import { createKeyedSlots } from '../../../lib/keyed-slots.ts'
import { createSharedRuns } from '../../../lib/shared-runs.ts'
import { actingOf, on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { InstanceKey } from '../../../providers/instancer/instancer.ts'
import type { Instancers, NamedInstancer } from '../../../providers/instancer/registry.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { findPublicChallenge } from '../../contest/challenges/rules.ts'
import type { Report } from '../../../db/report.ts'
import { recordInstanceAction, type InstanceAction } from './actions.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { QueuedDetails } from './start-instance.ts'
import { instanceSettings, requireInstancer, type InstanceSettings } from './settings.ts'
import { instancerSchema, instanceState } from './views.ts'

export interface InstanceDeps {
  readonly db: Queries
  readonly now: () => number
  readonly world: () => WorldView
  /** Null if no instancer is configured. */
  readonly instancers: Instancers | null
  readonly flags: Pick<Flags, 'flagsForTeam'>
  readonly lifecycle: Lifecycle
  /** Called after a team's instance was started, extended or stopped. */
  readonly onChange: Report
}

/** The instance that a request refers to. */
interface Target {
  readonly challenge: Challenge
  readonly settings: InstanceSettings
  readonly instancer: NamedInstancer
  readonly key: InstanceKey
}

/** The instance that a team asks for. */
interface Owner {
  readonly id: string
  readonly team: Actor
}

/** Concurrent engine calls per team and process. The total is limited, and one team must not use it up. */
const TEAM_CALLS = { slots: 4, maxQueue: 32 }

/** How the routes respond to what a team asks for. */
function createResponses({ world, instancers, onChange }: InstanceDeps) {
  /** The checks run in the order of docs/reference/instances.md#order-of-checks-for-instances */
  async function respond(
    { id, team }: Owner,
    operation: (target: Target) => Promise<QueuedDetails>,
  ): Promise<ResponsesOf<typeof readInstance>> {
    if (!instancers) return badEndpoint()
    const challenge = findPublicChallenge(world(), id, team)
    if (!challenge) return badChallenge()
    try {
      const settings = instanceSettings(challenge)
      if (!settings) return badEndpoint()
      const instancer = requireInstancer(instancers, settings)
      const { integrationId, config } = settings
      const key = { teamId: team.id, integrationId, config }
      const details = await operation({ challenge, settings, instancer, key })
      return goodInstanceStatus(instanceState(details, settings))
    } catch (error) {
      if (error instanceof ProviderError) return badInstancerError({ message: error.message })
      throw error
    }
  }

  /** Like `respond`, and reports what was done to the team's other browsers. */
  async function act(...[owner, operation]: Parameters<typeof respond>): ReturnType<typeof respond> {
    const response = await respond(owner, operation)
    if (response.reply === goodInstanceStatus)
      await onChange({ challengeId: owner.id, teamId: owner.team.id })
    return response
  }

  return { respond, act }
}

/** Instance states are not cached here. The engine is the only source of truth. */
export function instanceRoutes(deps: InstanceDeps): Endpoint[] {
  const { db, now, instancers, flags, lifecycle, onChange } = deps
  const { respond, act } = createResponses(deps)
  const record = ({ id, team }: Owner, action: InstanceAction['action']) =>
    recordInstanceAction(db, { teamId: team.id, challengeId: id, action, ...actingOf(team) }, now())

  const calls = createKeyedSlots(TEAM_CALLS)
  /** Concurrent requests of a team for the same instance share calls to the engine. */
  const attempts = createSharedRuns<QueuedDetails>()
  async function inTurn<T>(teamId: string, call: () => Promise<T>): Promise<T> {
    if (calls.isFull(teamId))
      throw new ProviderError('Your team sends too many instance requests. Try again in a moment.')
    return await calls.run(teamId, call)
  }

  return [
    on(readInstance, ({ params: { id }, team }) =>
      respond({ id, team }, ({ instancer, key }) =>
        attempts(JSON.stringify([instancer.name, team.id, id]), () =>
          inTurn(team.id, () => lifecycle.get(instancer, key)),
        ),
      ),
    ),

    on(startInstance, ({ params: { id }, team }) =>
      act({ id, team }, async ({ challenge, settings, instancer, key }) => {
        const { expose, timeoutMs, extendable } = settings
        const teamFlags = await flags.flagsForTeam(challenge, team.id)
        const order = { ...key, expose, timeoutMs, extendable, flags: teamFlags }
        // Who joins a start in flight did not start the instance.
        let isOwn = false
        const onClaimed = async () => {
          isOwn = true
          await onChange({ challengeId: id, teamId: team.id })
        }
        const start = {
          instancer,
          challengeId: challenge.id,
          order,
          personId: team.person?.id ?? null,
          onClaimed,
        }
        const details = await lifecycle.start(start)
        if (isOwn) await record({ id, team }, 'start')
        return details
      }),
    ),

    on(extendInstance, ({ params: { id }, team }) =>
      act({ id, team }, async ({ settings: { extendable, timeoutMs }, instancer, key }) => {
        if (!extendable || !instancer.canExtend) throw new ProviderError('This instance cannot be extended.')
        const details = await inTurn(team.id, () => lifecycle.extend(instancer, key, timeoutMs))
        await record({ id, team }, 'extend')
        return details
      }),
    ),

    on(stopInstance, ({ params: { id }, team }) =>
      act({ id, team }, async ({ instancer, key }) => {
        if (!instancer.canStop) throw new ProviderError('This instance cannot be stopped.')
        const details = await inTurn(team.id, () => lifecycle.stop(instancer, key))
        await record({ id, team }, 'stop')
        return details
      }),
    ),

    on(readInstancerSchema, () =>
      instancers ? goodInstancerSchema(instancerSchema(instancers)) : badEndpoint(),
    ),
  ]
}
