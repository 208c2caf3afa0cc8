import { styleText } from 'node:util'
import { diffLines, plain } from '../ops/challenges-as-code/diff.ts'
import { groupFindings, lineOfFinding, type Finding } from '../ops/challenges-as-code/finding.ts'
import type { UploadProgress } from '../ops/challenges-as-code/apply.ts'
import type { ChallengesCommand, Compared } from './compare-challenges.ts'
import type { ProcessContext } from './process-context.ts'
import { plural } from '../lib/plural.ts'

type Color = 'red' | 'yellow' | 'green' | 'dim'

/** Colours are for people: neither a file nor a log of a build gets them. */
function colored({ isTerminal, env }: ProcessContext, color: Color, text: string): string {
  return isTerminal && !env['NO_COLOR'] ? styleText(color, text, { validateStream: false }) : text
}

/** Prints what would change, then what is wrong: errors last, so that they are on the screen. */
export function report(context: ProcessContext, compared: Compared, command: ChallengesCommand): void {
  const { changes, removed, others } = compared
  if (command.json) context.print(jsonOf(compared))
  else {
    const options = { showSecrets: command.showSecrets ?? false, isReversed: false, hashOf: compared.hashOf }
    for (const change of changes) {
      const { value, local, stored } = change
      const title = plain(`${stored ? '~' : '+'} ${value.id}  ${local.file}`)
      context.print(colored(context, stored ? 'yellow' : 'green', title))
      for (const line of diffLines(change, options)) context.print(line)
    }
    for (const { id, name, solves } of removed)
      context.print(colored(context, 'red', plain(`- ${id}  ${name}  with ${plural(solves, 'solve')}`)))
    const count = countOf(compared)
    const created = changes.filter(({ stored }) => !stored).length
    const parts = `${created} to create, ${changes.length - created} to change, ${removed.length} to delete`
    context.print(count === 0 ? '0 changes' : `${plural(count, 'change')}: ${parts}`)
  }
  printFindings(context, compared, command)
  if (!command.json && others.length > removed.length)
    context.complain(`The site has ${plural(others.length, 'challenge')} that the folder does not have.`)
}

/** Warnings that say the same are one line with a count; every error has its own line. */
export function printFindings(
  context: ProcessContext,
  { findings }: Pick<Compared, 'findings'>,
  { verbose = false, json = false }: ChallengesCommand,
): void {
  const print = (color: Color, line: string) => context.complain(colored(context, color, plain(line)))
  const [errors, others] = [withLevel(findings, 'error'), findings.filter(({ level }) => level !== 'error')]
  const lines = verbose ? others.map(lineOfFinding) : groupFindings(others)
  for (const line of lines) print(/(?:^|: )info: /.test(line) ? 'dim' : 'yellow', line)
  const warnings = withLevel(findings, 'warning')
  if (warnings.length > lines.length && !json)
    print('yellow', `${plural(warnings.length, 'warning')}: ${kindsOf(warnings)}`)
  for (const finding of errors) print('red', lineOfFinding(finding))
}

function withLevel(findings: readonly Finding[], level: Finding['level']): Finding[] {
  return findings.filter((finding) => finding.level === level)
}

/** `8 unsupported, 2 unknown-key`: the most frequent kind first. */
function kindsOf(findings: readonly Finding[]): string {
  const counts = new Map<string, number>()
  for (const { lint } of findings) counts.set(lint, (counts.get(lint) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  return sorted.map(([lint, count]) => `${count} ${lint}`).join(', ')
}

/** `38 of 41 challenges are fine.` */
export function summaryOf({ count, findings }: Pick<Compared, 'count' | 'findings'>): string {
  const broken = new Set(withLevel(findings, 'error').map(({ file, challenge }) => challenge ?? file))
  const fine = Math.max(0, count - broken.size)
  return count === 0 ? '' : `${fine} of ${plural(count, 'challenge')} ${count === 1 ? 'is' : 'are'} fine. `
}

export function countOf({ changes, removed }: Pick<Compared, 'changes' | 'removed'>): number {
  return changes.length + removed.length
}

export function jsonOf({ changes, removed, others, findings, count }: Compared): string {
  return JSON.stringify({
    changes: changes.map(({ value, local, stored, fields }) => ({
      id: value.id,
      file: local.file,
      state: stored ? 'changed' : 'created',
      fields,
    })),
    removed,
    onlyOnSite: others.map(({ id }) => id),
    challenges: count,
    findings,
  })
}

const BAR_LENGTH = 24
const MIB = 1024 * 1024

/** Shows the progress of uploads in one line of a terminal. */
export function progressOf({ now, progress }: ProcessContext): UploadProgress {
  const start = now()
  return ({ files, bytes, totalFiles, totalBytes }) => {
    if (files === totalFiles) return progress?.('')
    const share = totalBytes === 0 ? 0 : bytes / totalBytes
    const bar = '#'.repeat(Math.round(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '.')
    const rate = bytes / MIB / Math.max(0.1, (now() - start) / 1000)
    const size = `${(bytes / MIB).toFixed(1)} of ${(totalBytes / MIB).toFixed(1)} MiB`
    progress?.(`[${bar}] ${files} of ${plural(totalFiles, 'file')}, ${size}, ${rate.toFixed(1)} MiB/s`)
  }
}
