import { hkdfSync } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { defaultInstancerOf } from '../config/instance-keys.ts'
import type { Instancer, InstancerContext } from '../providers/instancer/instancer.ts'
import { createInstancers, type Instancers } from '../providers/instancer/registry.ts'
import type { ProviderContext } from '../providers/provider.ts'

/** Starts the configured instancers; null when there are none. */
export async function startInstancers(config: Config, world: ProviderContext): Promise<Instancers | null> {
  const defaultName = defaultInstancerOf(config)
  if (defaultName === undefined) return null
  const engines = new Map<string, Instancer>()
  // A separate key, so that host names reveal nothing about the token key.
  const hostNameKey = Buffer.from(hkdfSync('sha256', config.tokenKey, '', 'pennant instance host names', 32))
  const context: InstancerContext = { ...world, hostNameKey }
  for (const [name, picked] of Object.entries(config.instancers))
    engines.set(name, await picked.start(context))
  return createInstancers({ engines, defaultName, log: world.log })
}
