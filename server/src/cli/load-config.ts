import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { readConfigFiles } from '../config/config-files.ts'
import type { Config } from '../config/config.ts'
import { environmentLayer } from '../config/environment.ts'
import type { Layer } from '../config/layers.ts'
import { readConfig } from '../config/read-config.ts'
import { keepValue, openDataFolder, START_TIME_FILE, TOKEN_KEY_FILE } from './data-folder.ts'
import type { Outside } from './outside.ts'

/** Stands for the values of a first start while only the configuration is looked at. */
const PLACEHOLDER_KEY = Buffer.alloc(32).toString('base64')

/** The configuration as it is written, checked. Touches nothing; the token key may be a placeholder. */
export async function lookAtConfig(outside: Outside): Promise<Config> {
  return readConfig(placeholders(await readLayers(outside), outside), outside.complain)
}

/** The configuration to run with: what it leaves open is made at the first start and kept in the data folder. */
export async function loadConfig(outside: Outside): Promise<Config> {
  const layers = await readLayers(outside)
  // All mistakes come to light before anything is written.
  const draft = readConfig(placeholders(layers, outside), outside.complain)
  const dataDir = resolve(draft.dataDir)
  const isGiven = (key: string) =>
    layers.some(({ values }) => values[key] !== undefined && values[key] !== null)
  const made: Record<string, unknown> = {}
  const needsFolder = !isGiven('tokenKey') || !isGiven('startTime') || draft.database.url === undefined
  if (needsFolder) await openDataFolder(dataDir)
  if (!isGiven('tokenKey')) made['tokenKey'] = await keepValue(dataDir, TOKEN_KEY_FILE, newTokenKey)
  if (!isGiven('startTime')) {
    const text = await keepValue(dataDir, START_TIME_FILE, () => new Date(outside.now()).toISOString())
    made['startTime'] = text
  }
  return { ...readConfig([{ source: dataDir, values: made }, ...layers]), dataDir }
}

export function newTokenKey(): string {
  return randomBytes(32).toString('base64')
}

async function readLayers({ env }: Outside): Promise<Layer[]> {
  return [...(await readConfigFiles(env['PENNANT_CONFIG'])), environmentLayer(env)]
}

function placeholders(layers: readonly Layer[], { now }: Outside): Layer[] {
  return [{ source: 'first start', values: { tokenKey: PLACEHOLDER_KEY, startTime: now() } }, ...layers]
}
