import type { LineMark } from '../../../ui/rich/code-mirror.ts'

const NONE: readonly LineMark[] = []

/** Extracts the positions from a compiler message such as `line 3, column 7: …`. */
export function lineMarks(problem: string | undefined): readonly LineMark[] {
  if (problem === undefined) return NONE
  const found = problem.matchAll(/\bline (\d{1,6})(?:, column \d{1,6})?: ([^\n]+)/g)
  return Array.from(found, ([, line, message = '']) => ({
    line: Number(line),
    message,
    severity: 'error' as const,
  }))
}
