import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { kindOf, readConfigFiles, readLayer } from '../config/config-files.ts'
import { configKeys, type Config } from '../config/config.ts'
import { environmentLayer } from '../config/environment.ts'
import { changedEventKeys, EVENT_KEYS } from '../config/event-values.ts'
import { mergeLayers, type Layer } from '../config/layers.ts'
import { readConfig } from '../config/read-config.ts'
import {
  openDataFolder,
  readIfThere,
  readOrCreateValue,
  RESTORED_FILE,
  TOKEN_KEY_FILE,
} from './data-folder.ts'
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
  const stored = isGiven(layers, 'tokenKey') ? null : await readIfThere(join(dataDir, TOKEN_KEY_FILE))
  const tokenKey = stored?.trim() ?? newTokenKey()
  const config = readConfig([{ source: dataDir, values: { tokenKey } }, ...layers])
  return { config: { ...config, dataDir }, isKeyMissing: stored === null && !isGiven(layers, 'tokenKey') }
}

/** Where the configuration sets a value, for messages. */
export async function sourceOf(key: string, context: ProcessContext): Promise<string> {
  const source = (await readLayers(context)).findLast((layer) => isGiven([layer], key))?.source
  if (source === undefined) return `the default of \`${key}\``
  return `\`${key}\` in ${source === 'environment' ? 'the environment' : source}`
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

/** Event keys that a restore brought back, and to which the configuration gives another value. */
export async function overriddenKeys(context: ProcessContext): Promise<string[]> {
  const restored = await readRestored(await readGiven(context))
  return changedEventKeys(readConfig(withPlaceholder([restored])), await readConfigOnly(context))
}

async function readLayers(context: ProcessContext): Promise<Layer[]> {
  const given = await readGiven(context)
  const restored = await readRestored(given)
  const kept = Object.entries(restored.values).filter(([key]) => !isGiven(given, key))
  // Whole keys, because parts of two scoreProviders would not fit together.
  return [{ ...restored, values: Object.fromEntries(kept) }, ...given]
}

async function readGiven({ env }: ProcessContext): Promise<Layer[]> {
  return [...(await readConfigFiles(env['PENNANT_CONFIG'])), environmentLayer(env)]
}

/** What `pennant restore` left in the data folder: the event's values of the archive. */
async function readRestored(given: readonly Layer[]): Promise<Layer> {
  const dataDir = configKeys.dataDir.safeParse(mergeLayers(given)['dataDir'] ?? undefined)
  const path = resolve(dataDir.data ?? '', RESTORED_FILE)
  // A wrong `dataDir` is reported with everything else that is wrong.
  if (!dataDir.success || (await kindOf(path)) !== 'file') return { source: path, values: {} }
  const layer = await readLayer(path)
  const foreign = Object.keys(layer.values).filter((key) => !EVENT_KEYS.includes(key))
  const problems = foreign.map((key) => `${path}: ${key} is not a key of the event; set it in pennant.yaml`)
  return { ...layer, problems: [...(layer.problems ?? []), ...problems] }
}

function withPlaceholder(layers: readonly Layer[]): Layer[] {
  return [{ source: 'first start', values: { tokenKey: PLACEHOLDER_KEY } }, ...layers]
}
