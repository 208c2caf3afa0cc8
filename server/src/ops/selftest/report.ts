import type { Outcome, Result } from './run.ts'
import { plural } from '../../lib/plural.ts'

/** The result for a terminal: a line per check, and the evidence of each finding. */
export function linesOf({ results, requests, leftBehind }: Outcome): string[] {
  const lines = results.flatMap(linesOfResult)
  const skipped = results.filter((result) => result.skipped !== null).length
  const summary = `${plural(results.length, 'check')}, ${skipped} skipped, ${plural(countProblems(results), 'finding')}, ${plural(requests, 'request')}`
  return [...lines, '', summary, ...(leftBehind === null ? [] : [leftBehind])]
}

function linesOfResult(result: Result): string[] {
  const { name, category, about, advice, findings, notes, skipped, failed } = result
  const state = skipped !== null ? 'skipped' : countProblems([result]) > 0 ? 'FOUND' : 'ok'
  const details = [
    ...(skipped === null ? [] : [skipped]),
    ...(failed === null ? [] : [`The check could not finish: ${failed}`]),
    ...findings.map(({ method, path, role, found }) => `${method} ${path} as ${role}: ${found}`),
    ...(findings.length > 0 ? [`What to do: ${advice}`] : []),
    ...notes.map((note) => `Note: ${note}`),
  ]
  return [`${state.padEnd(8)}${category.padEnd(5)}${name.padEnd(24)}${about}`, ...details.map(indent)]
}

/**
 * Indents below the name of the check. The server controls paths and kinds, so control characters are
 * removed.
 */
function indent(line: string): string {
  return ' '.repeat(13) + line.replace(/\p{Cc}/gu, '?')
}

/** A line of JSON, for other programs. */
export function jsonOf(outcome: Outcome): string {
  const { results, requests, leftBehind } = outcome
  return JSON.stringify({ isClean: isClean(outcome), requests, leftBehind, checks: results })
}

/** Counts findings and checks that did not finish. */
export function countProblems(results: readonly Result[]): number {
  return results.reduce((sum, { findings, failed }) => sum + findings.length + (failed === null ? 0 : 1), 0)
}

/** Whether nothing was found and nothing was left behind. */
export function isClean({ results, leftBehind }: Outcome): boolean {
  return leftBehind === null && countProblems(results) === 0
}
