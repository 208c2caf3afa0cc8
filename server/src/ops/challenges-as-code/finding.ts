/** What a finding is about. `--allow` names one of them. */
type Lint =
  | 'document'
  | 'missing-file'
  | 'file-name'
  | 'duplicate-id'
  | 'flag-in-file'
  | 'release-time'
  | 'unpinned-image'
  | 'renamed'
  | 'flag-format'
  | 'flag-cut'
  | 'requirements'
  | 'unsupported'
  | 'unknown-key'
  | 'no-flag'
  | 'no-category'
  | 'template-left'
  | 'picture'
  | 'unknown-visibility'
  | 'instance'
  | 'secret'
  | 'yaml'
  | 'project'
  | 'server'
  | 'type'

/** An error prevents every change; a warning none. An info is about the run as a whole. */
export interface Finding {
  readonly level: 'error' | 'warning' | 'info'
  readonly lint: Lint
  /** A path in the folder; empty for the folder itself. */
  readonly file: string
  /** Counts from 1. */
  readonly line?: number
  /** The field of the document, with dots between its parts. */
  readonly field?: string
  readonly challenge?: string
  readonly message: string
  /** What warnings are grouped by, where the message names something of the document. */
  readonly reason?: string
}

/** `web/shop/challenge.yaml:7: error: files: there is no such file [missing-file]` */
export function lineOfFinding({ level, lint, file, line, field, message }: Finding): string {
  const place = [file, line].filter(Boolean).join(':')
  return [place, level, field, `${message} [${lint}]`].filter(Boolean).join(': ')
}

const MAX_PLACES = 3

/** A line for all findings of one kind, with their number and the first places: a repository repeats its habits. */
export function groupFindings(findings: readonly Finding[]): string[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const { level, lint, field = '', message, reason } = finding
    const key = [level, lint, patternOf(field), reason ?? message].join('\n')
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(finding)
  }
  return [...groups.values()].map((group) => {
    const [first] = group
    if (!first || group.length === 1) return group.map(lineOfFinding).join('')
    const { level, lint, field = '', message } = first
    const places = group.slice(0, MAX_PLACES).map(({ file, line }) => [file, line].filter(Boolean).join(':'))
    const rest = group.length > MAX_PLACES ? ', …' : ''
    const said = [level, patternOf(field), `${message} [${lint}]`].filter(Boolean).join(': ')
    return `${said} (${group.length} times: ${places.join(', ')}${rest})`
  })
}

/** `flags.*` for `flags.3`. */
function patternOf(field: string): string {
  return field.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '*')
}

/** Errors that may be what the author wants. */
const ALLOWABLE: readonly string[] = [
  'flag-in-file',
  'release-time',
  'renamed',
  'flag-format',
  'flag-cut',
  'requirements',
  'unknown-visibility',
  'secret',
  'type',
  'instance',
]

/** Why a value of `--allow` is refused, or null: it is a lint, or a lint and a challenge with a colon between. */
export function allowProblem(text: string): string | null {
  const [lint = ''] = text.split(':')
  return ALLOWABLE.includes(lint) ? null : `Must begin with one of ${ALLOWABLE.join(', ')}.`
}

/** Makes warnings of the errors that are allowed. */
export function allowing(allowed: readonly string[]): (finding: Finding) => Finding {
  const names = new Set(allowed)
  return (finding) =>
    finding.level === 'error' &&
    (names.has(finding.lint) || names.has(`${finding.lint}:${finding.challenge}`))
      ? { ...finding, level: 'warning' }
      : finding
}
