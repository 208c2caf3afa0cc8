import type { InstanceDetails, InstanceKey } from '../../../providers/instancer/instancer.ts'
import type { Instancers } from '../../../providers/instancer/registry.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { Challenge } from '../../../world/model.ts'
import { namedEndpoints } from '../instances/rules.ts'
import { instanceSettings, requireInstancer, type InstanceSettings } from '../instances/settings.ts'
import type { BotSettings } from './settings.ts'
import type { BotEndpoint } from './store.ts'

/** What the audit stores about a refusal, in addition to the inputs. */
export type InstanceProblem = { readonly error: string } & (
  | { readonly status: InstanceDetails['status'] | null }
  | { readonly timeLeftMilliseconds: number | null }
)

type Checked = { readonly endpoints: readonly BotEndpoint[] } | { readonly problem: InstanceProblem }

export interface InstanceQuestion {
  readonly instancers: Instancers | null
  readonly challenge: Challenge
  readonly settings: BotSettings
  readonly teamId: string
}

/**
 * The team's instance, which must keep running for the maximum duration of a visit. The bot gets all its
 * endpoints.
 */
export async function checkInstance(question: InstanceQuestion): Promise<Checked> {
  const { challenge, settings } = question
  if (!settings.requireInstancerInstancesRunning || !challenge.instancerConfig) return { endpoints: [] }
  const found = await readInstance(question)
  if ('error' in found) return { problem: { error: found.error, status: null } }
  const { status, timeLeftMs, endpoints } = found.details
  if (status !== 'running' || endpoints.length === 0)
    return { problem: { error: 'Start the instance of this challenge first.', status } }
  if (timeLeftMs === null || timeLeftMs < settings.timeoutMilliseconds) {
    const error = 'The instance expires before the admin bot could finish. Extend or restart it.'
    return { problem: { error, timeLeftMilliseconds: timeLeftMs } }
  }
  return { endpoints: botEndpoints(found.details, found.instance) }
}

interface Found {
  readonly instance: InstanceSettings
  readonly details: InstanceDetails
}

async function readInstance({
  instancers,
  challenge,
  teamId,
}: InstanceQuestion): Promise<Found | { readonly error: string }> {
  try {
    const instance = instanceSettings(challenge)
    if (!instance || !instancers) return { error: 'No instancer is configured.' }
    const { integrationId, config } = instance
    const key: InstanceKey = { teamId, integrationId, config }
    return { instance, details: await requireInstancer(instancers, instance).get(key) }
  } catch (error) {
    if (error instanceof ProviderError) return { error: error.message }
    throw error
  }
}

function botEndpoints({ endpoints }: InstanceDetails, { expose }: InstanceSettings): BotEndpoint[] {
  return namedEndpoints(endpoints, expose).map(({ kind, ...rest }) => ({ type: kind, ...rest }))
}
