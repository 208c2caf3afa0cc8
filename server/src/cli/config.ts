import { printedConfig } from '../config/print-config.ts'
import { readConfigOnly } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'

/** `pennant config check`: fails with all errors, or reports that there are none. */
export async function checkConfig(context: ProcessContext): Promise<void> {
  await readConfigOnly(context)
  context.print('The configuration is valid.')
}

/** `pennant config print`: prints the whole configuration as YAML, safe to share. */
export async function printConfig(context: ProcessContext): Promise<void> {
  const config = await readConfigOnly(context)
  context.print(await printedConfig(config))
}
