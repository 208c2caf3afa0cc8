import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readConfigFiles } from '../config/config-files.ts'
import type { Config } from '../config/config.ts'
import { environmentLayer } from '../config/environment.ts'
import type { Layer } from '../config/layers.ts'
import { readConfig } from '../config/read-config.ts'
import { readOrCreateValue, openDataFolder, TOKEN_KEY_FILE } from './data-folder.ts'
import type { ProcessContext } from './process-context.ts'

/** Replaces the key that the first start creates while only the configuration is checked. */
export const PLACEHOLDER_KEY = Buffer.alloc(32).toString('base64')

/** Reads and validates the configuration without side effects; the token key may be a placeholder. */
export async function readConfigOnly(context: ProcessContext): Promise<Config> {
  return readConfig(withPlaceholder(await readLayers(context)), context.complain)
}

/**
 * The configuration to run with. A missing token key is created at the first start and stored in the data
 * folder.
 */
export async function loadConfig(context: ProcessContext): Promise<Config> {
  const layers = await readLayers(context)
  // Reports all errors before anything is written.
  const draft = readConfig(withPlaceholder(layers), context.complain)
  const dataDir = resolve(draft.dataDir)
  const made: Record<string, unknown> = {}
  const needsFolder = !isGiven(layers, 'tokenKey') || draft.database.url === undefined
  if (needsFolder) await openDataFolder(dataDir)
  if (!isGiven(layers, 'tokenKey'))
    made['tokenKey'] = await readOrCreateValue(dataDir, TOKEN_KEY_FILE, newTokenKey)
  return { ...readConfig([{ source: dataDir, values: made }, ...layers]), dataDir }
}

/**
 * The configuration as `loadConfig` returns it, without creating anything. Before the first start there is no
 * token key; a random one takes its place, which is stored nowhere.
 */
export async function readExistingConfig(
  context: ProcessContext,
): Promise<{ readonly config: Config; readonly isKeyMissing: boolean }> {
  const layers = await readLayers(context)
  const dataDir = resolve(readConfig(withPlaceholder(layers), context.complain).dataDir)
  const stored = await readFile(join(dataDir, TOKEN_KEY_FILE), 'utf8').catch(() => null)
  const tokenKey = stored?.trim() ?? newTokenKey()
  const config = readConfig([{ source: dataDir, values: { tokenKey } }, ...layers])
  return { config: { ...config, dataDir }, isKeyMissing: stored === null && !isGiven(layers, 'tokenKey') }
}

/** Whether the configuration sets the value; otherwise it is in the data folder. */
export async function isConfigured(key: 'tokenKey', context: ProcessContext): Promise<boolean> {
  return isGiven(await readLayers(context), key)
}

function isGiven(layers: readonly Layer[], key: string): boolean {
  return layers.some(({ values }) => values[key] !== undefined && values[key] !== null)
}

export function newTokenKey(): string {
  return randomBytes(32).toString('base64')
}

async function readLayers({ env }: ProcessContext): Promise<Layer[]> {
  return [...(await readConfigFiles(env['PENNANT_CONFIG'])), environmentLayer(env)]
}

function withPlaceholder(layers: readonly Layer[]): Layer[] {
  return [{ source: 'first start', values: { tokenKey: PLACEHOLDER_KEY } }, ...layers]
}
