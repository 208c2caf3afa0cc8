import { InstancerConfig } from '@pennant/contract/admin-challenges.ts'
import type { Expose, Json } from '../../../providers/instancer/instancer.ts'
import type { NamedInstancer, Instancers } from '../../../providers/instancer/registry.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { Challenge } from '../../../world/model.ts'
import { mergeInstancer } from '../../contest/challenges/admin-rules.ts'

export interface ExposeSettings extends Expose {
  readonly shouldDisplay: boolean
}

/** The instance settings of a challenge. */
export interface InstanceSettings {
  /** Name of the engine; undefined for the default one. */
  readonly instancer: string | undefined
  readonly integrationId: string
  readonly config: Json
  readonly expose: readonly ExposeSettings[]
  readonly timeoutMs: number
  readonly extendable: boolean
}

/** Null if the challenge has no instances. */
export function instanceSettings({
  id,
  instancerConfig,
}: Pick<Challenge, 'id' | 'instancerConfig'>): InstanceSettings | null {
  if (!instancerConfig) return null
  const stored = InstancerConfig.safeParse(mergeInstancer(instancerConfig, {}))
  if (!stored.success) throw new ProviderError('The instance settings of this challenge are invalid.')
  const { challengeIntegrationId, instancer, config, expose, timeoutMilliseconds, extendable } = stored.data
  return {
    instancer,
    integrationId: challengeIntegrationId || id,
    config,
    expose: expose.map((each) => ({ ...each, shouldDisplay: each.shouldDisplay !== false })),
    timeoutMs: timeoutMilliseconds,
    extendable: extendable !== false,
  }
}

/** The engine that the settings name. The deployment may no longer have it. */
export function requireInstancer(instancers: Instancers, { instancer }: InstanceSettings): NamedInstancer {
  const found = instancers.find(instancer)
  if (!found) throw new ProviderError('The instancer of this challenge is not configured.')
  return found
}
