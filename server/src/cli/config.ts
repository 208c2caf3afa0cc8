import { configKeys } from '../config/config.ts'
import { listKeys, type Key } from '../config/keys.ts'
import { plainConfig, printedConfig } from '../config/print-config.ts'
import { registrationRules } from '../features/site/settings/registration-rules.ts'
import { configWarnings } from '../ops/diagnosis/config-warnings.ts'
import { readConfigOnly } from './load-config.ts'
import { providerProblems } from '../ops/diagnosis/sign-in.ts'
import { StartError } from '../lib/errors.ts'
import type { ProcessContext } from './process-context.ts'

/** `pennant config check`: fails with all errors, or reports that there are none. */
export async function checkConfig(context: ProcessContext): Promise<void> {
  const config = await readConfigOnly(context)
  const problems = await providerProblems(config)
  if (problems.length > 0)
    throw new StartError(
      `Sign-in providers cannot be used.\n${problems.map((each) => `  ${each}`).join('\n')}`,
    )
  const rules = registrationRules(config, {})
  for (const warning of configWarnings(config, rules)) context.print(`Warning: ${warning}`)
  if (config.organisers.secondFactor.length > 0)
    context.print(
      'Note: `organisers.secondFactor` takes permissions from everyone without a second factor. `pennant doctor` says whether anyone has one.',
    )
  context.print('The configuration is valid.')
}

/** `pennant config print`: prints the whole configuration as YAML or JSON, safe to share. */
export async function printConfig(context: ProcessContext, { json }: { json?: boolean }): Promise<void> {
  const config = await readConfigOnly(context)
  context.print(json ? JSON.stringify(plainConfig(config, 'hidden')) : await printedConfig(config))
}

/** `pennant config keys [part]`: prints every key, or those whose path or provider, else meaning, contains `part`. */
export function printKeys(
  context: ProcessContext,
  { part = '', json = false }: { part?: string | undefined; json?: boolean },
): void {
  const wanted = part.toLowerCase()
  const all = listKeys(configKeys)
  const having = (textOf: (key: Key) => string) =>
    all.filter((key) => textOf(key).toLowerCase().includes(wanted))
  const named = having(({ path, provider = '' }) => `${path.join('.')} ${provider}`)
  const keys = named.length > 0 ? named : having(({ description }) => description)
  if (keys.length === 0) throw new StartError(`No configuration key contains \`${part}\`.`)
  if (json) return context.print(JSON.stringify(keys.map((key) => ({ ...key, path: key.path.join('.') }))))
  context.print(keys.map(describe).join('\n\n'))
}

function describe({ path, type, env, isBlock, provider, description, ...key }: Key): string {
  const facts = [isBlock ? 'block' : type]
  if (!isBlock && key.default !== undefined) facts.push(`default ${defaultOf(key.default)}`)
  if (provider !== undefined) facts.push(`option of ${provider}`)
  const lines = [`${path.join('.')} (${facts.join('; ')})`, `  ${env}`]
  // Descriptions link pages of the documentation.
  if (description) lines.push(`  ${description.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`)
  return lines.join('\n')
}

function defaultOf(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? 'a placeholder' : text
}
