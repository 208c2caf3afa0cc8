import { hkdfSync } from 'node:crypto'
import type { Instancer, InstancerContext } from '../providers/instancer/instancer.ts'
import { createInstancers, type Instancers } from '../providers/instancer/registry.ts'
import type { ProviderContext } from '../providers/provider.ts'
import type { Config } from './config.ts'
import { defaultInstancerOf } from './instance-keys.ts'

/** Starts the configured instancers; null when there are none. */
export async function startInstancers(config: Config, context: ProviderContext): Promise<Instancers | null> {
  const defaultName = defaultInstancerOf(config)
  if (defaultName === undefined) return null
  const engines = new Map<string, Instancer>()
  // A separate key, so that host names reveal nothing about the token key.
  const hostNameKey = Buffer.from(hkdfSync('sha256', config.tokenKey, '', 'pennant instance host names', 32))
  const withKey: InstancerContext = { ...context, hostNameKey }
  for (const [name, picked] of Object.entries(config.instancers))
    engines.set(name, await picked.start(withKey))
  return createInstancers({ engines, defaultName, log: context.log })
}
