import { InstancerConfig } from '@pennant/contract/admin-challenges.ts'
import type { Expose, Json } from '../../providers/instancer/instancer.ts'
import type { NamedInstancer, Instancers } from '../../providers/instancer/registry.ts'
import { ProviderError } from '../../providers/provider.ts'
import type { Challenge } from '../../world/model.ts'
import { mergeInstancer } from '../challenges/admin-rules.ts'

export interface ExposeSettings extends Expose {
  readonly shouldDisplay: boolean
}

/** What a challenge says of its instances. */
export interface InstanceSettings {
  /** The engine by name; undefined for the default one. */
  readonly instancer: string | undefined
  readonly integrationId: string
  readonly config: Json
  readonly expose: readonly ExposeSettings[]
  readonly timeoutMs: number
  readonly extendable: boolean
}

/** Null for a challenge without instances. */
export function instanceSettings({ id, instancerConfig }: Challenge): InstanceSettings | null {
  if (!instancerConfig) return null
  const stored = InstancerConfig.safeParse(mergeInstancer(instancerConfig, {}))
  if (!stored.success) throw new ProviderError('The instance settings of this challenge are broken.')
  const { challengeIntegrationId, instancer, config, expose, timeoutMilliseconds, extendable } = stored.data
  return {
    instancer,
    integrationId: challengeIntegrationId || id,
    config,
    expose,
    timeoutMs: timeoutMilliseconds,
    extendable: extendable !== false,
  }
}

/** The engine that the settings name. They may name one that the deployment no longer has. */
export function requireInstancer(instancers: Instancers, { instancer }: InstanceSettings): NamedInstancer {
  const found = instancers.find(instancer)
  if (!found) throw new ProviderError('The instancer of this challenge is not configured.')
  return found
}
