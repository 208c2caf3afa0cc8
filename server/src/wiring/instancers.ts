import type { Config } from '../config/config.ts'
import { defaultInstancerOf } from '../config/instance-keys.ts'
import type { Instancer } from '../providers/instancer/instancer.ts'
import { createInstancers, type Instancers } from '../providers/instancer/registry.ts'
import type { ProviderWorld } from '../providers/provider.ts'

/** The engines that the configuration names, started; null when it names none. */
export async function startInstancers(config: Config, world: ProviderWorld): Promise<Instancers | null> {
  const defaultName = defaultInstancerOf(config)
  if (defaultName === undefined) return null
  const engines = new Map<string, Instancer>()
  for (const [name, picked] of Object.entries(config.instancers)) engines.set(name, await picked.start(world))
  return createInstancers({ engines, defaultName, log: world.log })
}
