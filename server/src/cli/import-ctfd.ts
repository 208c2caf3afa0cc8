import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { createTokens } from '../features/people/accounts/tokens.ts'
import { openCtfdArchive, type CtfdArchive } from '../ops/import/ctfd/archive.ts'
import type { CtfdOptions } from '../ops/import/ctfd/options.ts'
import { readCtfd } from '../ops/import/ctfd/read.ts'
import { mappedDivisions } from '../ops/import/divisions.ts'
import type { ImportResult } from '../ops/import/run.ts'
import { teamLines } from '../ops/import/secrets.ts'
import { StartError } from '../lib/errors.ts'
import { carryOut, end, type ImportCommand } from './import.ts'
import { loadConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'
import { instantOf } from './values.ts'

export interface CtfdCommand extends ImportCommand {
  readonly division: readonly string[]
  readonly end?: string
  readonly admins?: boolean
  readonly hidden: CtfdOptions['hidden']
  readonly awards: CtfdOptions['awards']
  readonly scoring: CtfdOptions['scoring']
  readonly locked: CtfdOptions['locked']
}

/** `pennant import ctfd`: no server may use the database meanwhile. */
export async function importCtfd(context: ProcessContext, path: string, command: CtfdCommand): Promise<void> {
  const config = await loadConfig(context)
  const options: CtfdOptions = {
    hidden: command.hidden,
    awards: command.awards,
    scoring: command.scoring,
    locked: command.locked,
    admins: command.admins ?? false,
    end: endOf(command.end),
    divisions: config.divisions,
    defaultDivision: config.defaultDivision ?? Object.keys(config.divisions)[0] ?? '',
    mapped: mappedDivisions(command.division),
    issuesLinks: command.tokens !== undefined,
  }
  const key = config.tokenKey
  const tokens = createTokens({ key, now: context.now, loginTimeoutMs: config.loginTimeout })
  const run = {
    context,
    config,
    command,
    key,
    linksOf: ({ contest }: ImportResult) => teamLines(contest.teams, { tokens, origin: config.origin }),
  }
  let opened: CtfdArchive | null = null
  try {
    const result = await carryOut(run, async (report) => {
      opened = await openCtfdArchive(path, report)
      return await readCtfd({ archive: opened, options, report })
    })
    if (result.configuration !== '' && !command.json) {
      context.print('Configuration that carries over:')
      context.print(result.configuration.trimEnd())
    }
    end(result, command)
  } finally {
    await (opened as CtfdArchive | null)?.[Symbol.asyncDispose]()
  }
}

function endOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const at = instantOf(text)
  if (at < FIRST_INSTANT) throw new StartError(`--end ${text} is before the year 2000.`)
  return at
}
