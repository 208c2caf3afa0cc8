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

  return [
    on(readInstance, ({ params: { id }, team }) =>
      answer({ id, teamId: team.id }, ({ instancer, key }) => instancer.get(key)),
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
        return await lifecycle.extend(instancer, key, timeoutMs)
      }),
    ),

    on(stopInstance, ({ params: { id }, team }) =>
      answer({ id, teamId: team.id }, async ({ instancer, key }) => {
        if (!instancer.canStop) throw new ProviderError('This instance cannot be stopped.')
        return await lifecycle.stop(instancer, key)
      }),
    ),

    on(readInstancerSchema, () =>
      instancers ? goodInstancerSchema(instancerSchema(instancers)) : badEndpoint(),
    ),
  ]
}
