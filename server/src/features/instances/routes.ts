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
import type { AnswersOf } from '@pennant/contract/route.ts'
import { createKeyedSlots } from '../../lib/keyed-slots.ts'
import { createSharedRuns } from '../../lib/shared-runs.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import type { Flags } from '../../providers/flags/flags.ts'
import type { InstanceDetails, InstanceKey } from '../../providers/instancer/instancer.ts'
import type { Instancers, NamedInstancer } from '../../providers/instancer/registry.ts'
import { ProviderError } from '../../providers/provider.ts'
import type { Challenge, WorldView } from '../../world/model.ts'
import { findPublicChallenge } from '../challenges/rules.ts'
import type { Lifecycle } from './lifecycle.ts'
import { instanceSettings, requireInstancer, type InstanceSettings } from './settings.ts'
import { instancerSchema, instanceState } from './views.ts'

export interface InstanceDeps {
  readonly world: () => WorldView
  /** Null where none is configured. */
  readonly instancers: Instancers | null
  readonly flags: Pick<Flags, 'flagsForTeam'>
  readonly lifecycle: Lifecycle
}

/** A call on one team's instance. */
interface Target {
  readonly challenge: Challenge
  readonly settings: InstanceSettings
  readonly instancer: NamedInstancer
  readonly key: InstanceKey
}

/** Calls of one team at the engines, of this process: what all teams have is bounded, and not for one to use up. */
const TEAM_CALLS = { slots: 4, maxQueue: 32 }

/** What state an instance is in is not kept here: the engine is the only one to know. */
export function instanceRoutes({ world, instancers, flags, lifecycle }: InstanceDeps): Endpoint[] {
  /** The order of checks is the contract's (participant 14). */
  async function answer(
    { id, teamId }: { readonly id: string; readonly teamId: string },
    ask: (target: Target) => Promise<InstanceDetails>,
  ): Promise<AnswersOf<typeof readInstance>> {
    if (!instancers) return badEndpoint()
    const challenge = findPublicChallenge(world(), id)
    if (!challenge) return badChallenge()
    try {
      const settings = instanceSettings(challenge)
      if (!settings) return badEndpoint()
      const instancer = requireInstancer(instancers, settings)
      const { integrationId, config } = settings
      const details = await ask({ challenge, settings, instancer, key: { teamId, integrationId, config } })
      return goodInstanceStatus(instanceState(details, settings))
    } catch (error) {
      if (error instanceof ProviderError) return badInstancerError({ message: error.message })
      throw error
    }
  }

  const calls = createKeyedSlots(TEAM_CALLS)
  /** All of a team who look at an instance at once share a call. */
  const looks = createSharedRuns<InstanceDetails>()
  async function inTurn<T>(teamId: string, call: () => Promise<T>): Promise<T> {
    if (calls.isFull(teamId))
      throw new ProviderError('Your team asks for its instances too often. Try again in a moment.')
    return await calls.run(teamId, call)
  }

  return [
    on(readInstance, ({ params: { id }, team }) =>
      answer({ id, teamId: team.id }, ({ instancer, key }) =>
        looks(JSON.stringify([instancer.name, team.id, id]), () => inTurn(team.id, () => instancer.get(key))),
      ),
    ),

    on(startInstance, ({ params: { id }, team }) =>
      answer({ id, teamId: team.id }, async ({ challenge, settings, instancer, key }) => {
        const { expose, timeoutMs, extendable } = settings
        const teamFlags = await flags.flagsForTeam(challenge, team.id)
        const order = { ...key, expose, timeoutMs, extendable, flags: teamFlags }
        return await lifecycle.start({ instancer, challengeId: challenge.id, order })
      }),
    ),

    on(extendInstance, ({ params: { id }, team }) =>
      answer({ id, teamId: team.id }, async ({ settings: { extendable, timeoutMs }, instancer, key }) => {
        if (!extendable || !instancer.canExtend) throw new ProviderError('This instance cannot be extended.')
        return await inTurn(team.id, () => lifecycle.extend(instancer, key, timeoutMs))
      }),
    ),

    on(stopInstance, ({ params: { id }, team }) =>
      answer({ id, teamId: team.id }, async ({ instancer, key }) => {
        if (!instancer.canStop) throw new ProviderError('This instance cannot be stopped.')
        return await inTurn(team.id, () => lifecycle.stop(instancer, key))
      }),
    ),

    on(readInstancerSchema, () =>
      instancers ? goodInstancerSchema(instancerSchema(instancers)) : badEndpoint(),
    ),
  ]
}
