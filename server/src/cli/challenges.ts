import { applyChanges } from '../ops/challenges-as-code/apply.ts'
import { diffLines, plain } from '../ops/challenges-as-code/diff.ts'
import { exportTo } from '../ops/challenges-as-code/export.ts'
import { createSite } from '../ops/challenges-as-code/site.ts'
import { StartError } from '../lib/errors.ts'
import { countOf, jsonOf, printFindings, progressOf, report, summaryOf } from './challenge-report.ts'
import { siteOptions, type SiteCommand } from './challenge-site.ts'
import { compare, isFatal, type ChallengesCommand, type Compared } from './compare-challenges.ts'
import { ExitStatus } from './exit-status.ts'
import type { ProcessContext } from './process-context.ts'
import { plural } from '../lib/plural.ts'

/** `pennant challenges plan`: shows what an apply would change. */
export async function planChallenges(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const compared = await compare(context, folder, { ...command, mode: 'plan' })
  report(context, compared, command)
  requireNoErrors(compared, command)
  requireAllFine(context, compared)
  if (countOf(compared) > 0) throw new ExitStatus('attention')
}

/** `pennant challenges diff`: shows how the site differs from the folder. */
export async function diffChallenges(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const compared = await compare(context, folder, { ...command, mode: 'diff' })
  const { changes, others } = compared
  if (command.json) context.print(jsonOf(compared))
  else {
    const options = { showSecrets: command.showSecrets ?? false, isReversed: true, hashOf: compared.hashOf }
    for (const change of changes) {
      const { value, local, stored } = change
      const title = `${value.id}  ${plain(local.file)}`
      context.print(stored ? `~ ${title}` : `- ${title}  is only in the folder`)
      if (stored) for (const line of diffLines(change, options)) context.print(line)
    }
    for (const { id, name } of others) context.print(`+ ${plain(`${id}  ${name}`)}  is only on the site`)
    context.print(plural(changes.length + others.length, 'difference'))
  }
  printFindings(context, compared, command)
  requireNoErrors(compared, command)
  requireAllFine(context, compared)
  if (changes.length + others.length > 0) throw new ExitStatus('attention')
}

/** `pennant challenges apply`: makes the site as the folder says, or changes nothing. */
export async function applyToSite(
  context: ProcessContext,
  folder: string,
  command: ChallengesCommand,
): Promise<void> {
  const compared = await compare(context, folder, { ...command, mode: 'apply' })
  report(context, compared, command)
  requireNoErrors(compared, command)
  const { site, tree, pictures, changes, removed } = compared
  await applyChanges({ site, tree, pictures, onProgress: progressOf(context) }, changes)
  for (const { id } of removed) await site.remove(id)
  if (countOf(compared) > 0 && !command.json) context.print('Applied.')
  requireAllFine(context, compared)
}

/** `pennant challenges export`: writes the challenges of the site into a folder. */
export async function exportChallenges(
  context: ProcessContext,
  folder: string,
  command: SiteCommand & { readonly force?: boolean },
): Promise<void> {
  const site = createSite(await siteOptions(context, command))
  const { written, unchanged } = await exportTo(folder, site, command.force ?? false)
  for (const path of written) context.print(path)
  context.print(`${plural(written.length, 'file')} written, ${unchanged} unchanged`)
}

/** Ends the command after everything was printed. With --keep-going, only a fatal error prevents a change. */
function requireNoErrors(compared: Compared, { keepGoing = false }: ChallengesCommand): void {
  const errors = compared.findings.filter(({ level }) => level === 'error')
  if (errors.length === 0 || (keepGoing && !errors.some(isFatal))) return
  throw new StartError(`${summaryOf(compared)}Found ${plural(errors.length, 'error')}; nothing was changed.`)
}

/** The status of a run that left challenges with errors out. */
function requireAllFine(context: ProcessContext, compared: Compared): void {
  const count = compared.findings.filter(({ level }) => level === 'error').length
  if (count === 0) return
  context.complain(`${summaryOf(compared)}Found ${plural(count, 'error')}; those challenges were left out.`)
  throw new ExitStatus('attention')
}
