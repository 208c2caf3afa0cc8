import type { ArchiveField } from '@pennant/contract/challenge-archive.ts'
import { uploadKeyOf } from '../../features/organisers/archives/stored-value.ts'
import type { FileValue } from '../../features/organisers/archives/value.ts'
import type { Change } from './changes.ts'
import { plural } from '../../lib/plural.ts'

/** Flags, what may contain them, and what players pay for: logs of builds are often public. */
const SECRET: ReadonlySet<ArchiveField> = new Set(['flags', 'hints', 'instancer', 'adminBot', 'scoring'])

/** Longer texts are not compared line by line. */
const MAX_DIFF_LINES = 2000
const MAX_SHOWN_LINES = 60
const MAX_SHOWN_LENGTH = 200

export interface DiffOptions {
  readonly showSecrets: boolean
  /** Whether the site is the new side. */
  readonly isReversed: boolean
  /** The SHA-256 of a file of the folder. */
  readonly hashOf: (path: string) => string
}

/** The lines that describe the changed fields of a challenge. */
export function diffLines(change: Change, options: DiffOptions): string[] {
  const { before } = change
  return change.fields.flatMap((field) => {
    const [from, to] = [before?.[field], change.value[field]]
    const [old, next] = options.isReversed ? [to, from] : [from, to]
    const lines = fieldLines(field, { old, next, isNew: before === null }, options)
    return lines.map((line) => `    ${plain(line)}`)
  })
}

interface Sides {
  readonly old: unknown
  readonly next: unknown
  readonly isNew: boolean
}

function fieldLines(field: ArchiveField, sides: Sides, { showSecrets, hashOf }: DiffOptions): string[] {
  const { old, next, isNew } = sides
  if (field === 'files') return [`${field}:`, ...fileLines(contentsOf(old, hashOf), contentsOf(next, hashOf))]
  if (SECRET.has(field) && !showSecrets) return [`${field}: ${summary(field, sides)}`]
  if (isNew) return newLines(field, next)
  if (typeof old === 'string' && typeof next === 'string' && `${old}${next}`.includes('\n'))
    return [`${field}:`, ...textDiff(old, next).map((line) => `  ${line}`)]
  return [`${field}: ${shown(field, old)} → ${shown(field, next)}`]
}

function newLines(field: ArchiveField, value: unknown): string[] {
  if (typeof value !== 'string' || !value.includes('\n')) return [`${field}: ${shown(field, value)}`]
  const lines = value.split('\n')
  const rest = lines.length - MAX_SHOWN_LINES
  return [
    `${field}:`,
    ...lines.slice(0, MAX_SHOWN_LINES).map((line) => `  + ${line}`),
    ...(rest > 0 ? [`  … ${plural(rest, 'more line')}`] : []),
  ]
}

function summary(field: ArchiveField, { old, next, isNew }: Sides): string {
  if (field === 'scoring') {
    if (isNew) return kindOf(next)
    return kindOf(old) === kindOf(next) ? 'another secret' : `${kindOf(old)} → ${kindOf(next)}`
  }
  const [before, after] = [amountOf(field, old), amountOf(field, next)]
  if (isNew) return after
  const change = before === after ? 'changed' : `${before} → ${after}`
  return `${change} (--show-secrets shows the values)`
}

function kindOf(scoring: unknown): string {
  return (scoring as { readonly kind?: string } | undefined)?.kind ?? 'none'
}

function amountOf(field: ArchiveField, value: unknown): string {
  const one = field === 'hints' ? 'hint' : 'flag'
  if (Array.isArray(value)) return plural(value.length, one)
  return value === null || value === undefined ? 'none' : 'set'
}

function shown(field: ArchiveField, value: unknown): string {
  if (field === 'releaseTime' && typeof value === 'number') return new Date(value).toISOString()
  const text = value === undefined ? 'none' : JSON.stringify(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

/** What identifies the content of each file, by the name that players see. */
function contentsOf(files: unknown, hashOf: DiffOptions['hashOf']): Map<string, string> {
  const list = (files as readonly FileValue<string>[] | undefined) ?? []
  return new Map(
    list.map((file) => [
      file.name,
      'local' in file ? hashOf(file.local) : (uploadKeyOf(file)?.sha256 ?? file.url),
    ]),
  )
}

function fileLines(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const removed = [...before.keys()].filter((name) => !after.has(name))
  const lines = [...after].flatMap(([name, content]) => {
    const old = before.get(name)
    if (old === undefined) return `  + ${name}`
    return old === content ? [] : `  ~ ${name}`
  })
  const all = [...removed.map((name) => `  - ${name}`), ...lines]
  return all.length > 0 ? all : ['  in another order']
}

/** The lines that differ, with a minus or a plus: a longest common subsequence after the equal ends are cut. */
export function textDiff(old: string, next: string): string[] {
  const [a, b] = [old.split('\n'), next.split('\n')]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (x.length + y.length > MAX_DIFF_LINES) return [`${plural(x.length, 'line')} replaced by ${y.length}`]
  const lines = walk(x, y)
  const rest = lines.length - MAX_SHOWN_LINES
  return rest > 0 ? [...lines.slice(0, MAX_SHOWN_LINES), `… ${plural(rest, 'more line')}`] : lines
}

function walk(a: readonly string[], b: readonly string[]): string[] {
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${a[i++]}`)
    else lines.push(`+ ${b[j++]}`)
  }
  return lines
}

/** Texts of a site must not control the terminal of the reader. */
export function plain(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
