import { WITHOUT_COUNTERPART, type WithoutCounterpart } from './counterparts.ts'

/**
 * `problem`: nothing can be imported. `loss`: something of the source would be missing or different, to be accepted.
 * `note`: worth knowing.
 */
export type Severity = 'problem' | 'loss' | 'note'

export interface Finding {
  readonly severity: Severity
  /** For scripts. */
  readonly code: string
  readonly text: string
  readonly count: number
  /** Names and ids of the first few. */
  readonly examples: readonly string[]
}

const MAX_EXAMPLES = 10
/** The report is shown on a page and in a terminal. */
const MAX_FINDINGS = 200
const MAX_EXAMPLE_LENGTH = 200

/** Code, text, and an example. */
type Given = readonly [code: string, text: string, example?: string]

export interface Report {
  problem(...finding: Given): void
  loss(...finding: Given): void
  note(...finding: Given): void
  /** Something of the source that has no counterpart. */
  without(what: WithoutCounterpart, example?: string): void
  /** Findings of another report, in place of those with the same codes. */
  include(findings: readonly Finding[]): void
  /** Problems first, then losses. */
  findings(): readonly Finding[]
}

interface Counted extends Finding {
  count: number
  readonly examples: string[]
}

/** Collects what an import cannot carry over. Equal codes are one finding. */
export function createReport(): Report {
  const byCode = new Map<string, Counted>()

  function add(severity: Severity, [code, text, example]: Given) {
    const known = byCode.get(`${severity} ${code}`)
    if (!known && byCode.size >= MAX_FINDINGS) return
    const finding = known ?? { severity, code, text, count: 0, examples: [] }
    finding.count += 1
    const shown = example === undefined ? undefined : printable(example)
    if (shown !== undefined && finding.examples.length < MAX_EXAMPLES && !finding.examples.includes(shown))
      finding.examples.push(shown)
    byCode.set(`${severity} ${code}`, finding)
  }

  return {
    problem: (...finding) => add('problem', finding),
    loss: (...finding) => add('loss', finding),
    note: (...finding) => add('note', finding),
    without: (what, example) =>
      add(
        'loss',
        example === undefined
          ? [what, WITHOUT_COUNTERPART[what]]
          : [what, WITHOUT_COUNTERPART[what], example],
      ),
    include(findings) {
      for (const finding of findings)
        byCode.set(`${finding.severity} ${finding.code}`, { ...finding, examples: [...finding.examples] })
    },
    findings: () =>
      (['problem', 'loss', 'note'] as const).flatMap((severity) =>
        [...byCode.values()].filter((finding) => finding.severity === severity),
      ),
  }
}

/** The texts of a source may contain anything; a terminal would obey its control characters. */
function printable(text: string): string {
  const safe = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
  return safe.length > MAX_EXAMPLE_LENGTH ? `${safe.slice(0, MAX_EXAMPLE_LENGTH)}…` : safe
}

export function hasProblems(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'problem')
}

export function hasLosses(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'loss')
}
