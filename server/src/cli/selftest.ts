import { readFile } from 'node:fs/promises'
import { StartError } from '../lib/errors.ts'
import { countProblems, isClean, jsonOf, linesOf } from '../ops/selftest/report.ts'
import { runSelftest } from '../ops/selftest/run.ts'
import type { ProcessContext } from './process-context.ts'
import { requireHttpUrl } from './values.ts'
import { plural } from '../lib/plural.ts'

export interface SelftestCommand {
  readonly url: string
  readonly token: string
  readonly organiser: readonly string[]
  readonly personLink: readonly string[]
  readonly only: readonly string[]
  readonly emailDomain: string
  readonly force?: boolean
  readonly json?: boolean
}

/**
 * `pennant selftest`: attacks a staging server over HTTP and reports its findings. Needs no configuration.
 */
export async function selftest(context: ProcessContext, command: SelftestCommand): Promise<void> {
  const { url, only, emailDomain, force = false, json = false } = command
  const outcome = await runSelftest({
    url: requireHttpUrl(url),
    only,
    emailDomain,
    force,
    adminToken: await readToken(command.token),
    organiserTokens: await Promise.all(command.organiser.map(readToken)),
    personLinks: (await Promise.all(command.personLink.map(readToken))).map(requireLink),
    signal: context.catchSignals(),
    progress: context.complain,
  })
  if (json) context.print(jsonOf(outcome))
  else for (const line of linesOf(outcome)) context.print(line)
  if (isClean(outcome)) return
  const { results, leftBehind } = outcome
  throw new StartError(leftBehind ?? `The self-test found ${plural(countProblems(results), 'problem')}.`)
}

/** The message has no part of the link, which is a secret. */
function requireLink(link: string): string {
  if (URL.canParse(link) && new URL(link).hash.includes('token=')) return link
  throw new StartError('A personal link is an address that ends with #token=….')
}

/** Other users of the machine can read command lines, so `@file` names a file that contains the token. */
async function readToken(text: string): Promise<string> {
  if (!text.startsWith('@')) return text
  try {
    return (await readFile(text.slice(1), 'utf8')).trim()
  } catch {
    throw new StartError(`Could not read ${text.slice(1)}.`)
  }
}
