import { configKeys } from '../config/config.ts'
import { listKeys } from '../config/keys.ts'
import { isValues, type Values } from '../config/layers.ts'
import { readConfig } from '../config/read-config.ts'
import { StartError } from '../lib/errors.ts'
import { looksLikeV1, readRctfConfig, sourceOf, type RctfConfig } from '../ops/import/rctf/config.ts'
import { configurationOf } from '../ops/import/rctf/configuration.ts'
import { writeNewFile } from './config-init.ts'
import { ExitStatus } from './exit-status.ts'
import { PLACEHOLDER_KEY } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'

export interface RctfConfigCommand {
  readonly config?: string
  readonly writeConfig?: string
  readonly plan?: boolean
  readonly json?: boolean
}

/** Where the configuration goes without `--write-config`: the file that the server reads. */
const DEFAULT_FILE = './pennant.yaml'

/**
 * `pennant import rctf --config <folder>` without a source. The server never reads a folder of rCTF by itself. Ends with
 * `attention` if something must be corrected before the start.
 */
export async function importRctfConfig(context: ProcessContext, command: RctfConfigCommand): Promise<void> {
  const { config: path, writeConfig: file = DEFAULT_FILE, plan = false, json = false } = command
  if (path === undefined)
    throw new StartError('Give the database of rCTF or a dump of it, or its configuration with --config.')
  const source = await readRctfConfig(path, context.env)
  const isV1 = looksLikeV1(path, source)
  const { text, warnings, problems } = await ownConfiguration(source, isV1)
  if (!plan) {
    const taken = `${file} already exists and was not overwritten. Name another file with --write-config.`
    await writeNewFile(file, text, taken)
  }
  const version = isV1 ? 1 : 2
  if (json) context.print(JSON.stringify({ version, file: plan ? null : file, warnings, problems }))
  else {
    context.complain(`${path}: read as a configuration of rCTF ${version}.`)
    complainOf({ warnings, problems }, context)
    context.print(plan ? 'This is a plan. Nothing was written.' : `${file} is written, with secrets.`)
  }
  if (problems.length > 0) throw new ExitStatus('attention')
}

export function complainOf(
  { warnings, problems }: Pick<OwnConfiguration, 'warnings' | 'problems'>,
  { complain }: ProcessContext,
): void {
  for (const warning of warnings) complain(warning)
  for (const problem of problems) complain(`Correct this before the start: ${problem}`)
}

interface OwnConfiguration {
  /** YAML. */
  readonly text: string
  /** Keys that change or are left out. */
  readonly warnings: readonly string[]
  /** What must be corrected before the start. */
  readonly problems: readonly string[]
}

export async function ownConfiguration(source: RctfConfig, isV1: boolean): Promise<OwnConfiguration> {
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const values = knownValues(configurationOf(source, { isV1, warn }), (path) =>
    warn(`${sourceOf(source, path.split('.'))}: ${path} is left out: this key is unknown.`),
  )
  const { default: yaml } = await import('yaml')
  const text = `# Made by \`pennant import rctf\`. It contains secrets.\n${yaml.stringify(values)}`
  return { text, warnings, problems: problemsOf(values) }
}

/** Without keys that rCTF ignores and the start would refuse. */
function knownValues(values: Values, onUnknown: (path: string) => void): Values {
  const known = listKeys(configKeys).map(({ path }) => path.join('.'))
  const keep = (inner: Values, at: string): Values =>
    Object.fromEntries(
      Object.entries(inner).flatMap(([key, value]) => {
        const path = `${at}${key}`
        const isBlock = known.some((each) => each.startsWith(`${path}.`))
        if (isBlock && isValues(value)) return [[key, keep(value, `${path}.`)]]
        if (isBlock || known.includes(path)) return [[key, value]]
        onUnknown(path)
        return []
      }),
    )
  return keep(values, '')
}

function problemsOf(values: Values): string[] {
  try {
    const layers = [
      { source: '', values: { tokenKey: PLACEHOLDER_KEY } },
      { source: '', values },
    ]
    readConfig(layers)
    return []
  } catch (error) {
    if (error instanceof StartError) return error.message.split('\n').map((line) => line.replace(/^: /, ''))
    throw error
  }
}
