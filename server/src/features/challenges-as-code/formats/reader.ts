import { readText, startReading } from '../../challenge-archive/read-folders.ts'
import { pathProblem } from '../../challenge-archive/paths.ts'
import { inFolder, isMap, type ForeignDocument, type Json, type Problem } from './translation.ts'

const TRUE = /^(?:true|yes|on|1)$/i
const FALSE = /^(?:false|no|off|0)$/i
const NULL = /^(?:|~|null)$/i

export interface Reader {
  report(field: string, message: string, rest?: Partial<Problem>): void
  /** Undefined if it is absent or null. */
  raw(name: string): unknown
  string(name: string): string | undefined
  integer(name: string): number | undefined
  boolean(name: string): boolean | undefined
  strings(name: string): readonly string[] | undefined
  list(name: string): readonly unknown[]
  /** The value with its types, for what is passed on as it is. */
  typed(name: string): unknown
  /** A map inside of this one. */
  map(name: string): Reader
  /** All problems, those of the maps inside included. */
  all(): Problem[]
}

/** Reads the fields of a foreign document and collects what is wrong with them. */
export function createReader({ typed, text }: Pick<ForeignDocument, 'typed' | 'text'>, prefix = ''): Reader {
  const problems: Problem[] = []
  const nested: Reader[] = []

  function report(field: string, message: string, rest: Partial<Problem> = {}): void {
    problems.push({ level: 'error', lint: 'document', ...rest, field: prefix + field, message })
  }

  function raw(name: string): unknown {
    const value = text[name]
    return typeof value === 'string' && NULL.test(value) && typeof typed[name] !== 'string'
      ? undefined
      : value
  }

  function string(name: string): string | undefined {
    const value = raw(name)
    if (value === undefined || typeof value === 'string') return value
    report(name, 'must be text')
    return undefined
  }

  return {
    report,
    raw,
    string,
    integer(name) {
      const value = string(name)
      if (value === undefined) return undefined
      if (/^[+-]?\d{1,15}$/.test(value.trim())) return Number(value)
      report(name, 'must be an integer')
      return undefined
    },
    boolean(name) {
      const value = string(name)
      if (value === undefined) return undefined
      if (TRUE.test(value)) return true
      if (FALSE.test(value)) return false
      report(name, 'must be true or false')
      return undefined
    },
    strings(name) {
      const value = raw(name)
      if (value === undefined) return undefined
      const list: readonly unknown[] = Array.isArray(value) ? value : [value]
      if (list.every((item) => typeof item === 'string')) return list
      report(name, 'must be a list of texts')
      return undefined
    },
    list(name) {
      const value = raw(name)
      if (value === undefined) return []
      if (Array.isArray(value)) return value
      report(name, 'must be a list')
      return []
    },
    typed: (name) => typed[name],
    map(name) {
      const value = raw(name)
      if (value !== undefined && !isMap(value)) report(name, 'must be a map')
      const inner = { typed: mapOf(typed[name]), text: mapOf(value) }
      const reader = createReader(inner, `${prefix}${name}.`)
      nested.push(reader)
      return reader
    },
    all: () => [...problems, ...nested.flatMap((reader) => reader.all())],
  }
}

/** Names what has no counterpart here, if it is set. */
export function warnUnsupported(reader: Reader, names: readonly string[], why: string): void {
  for (const name of names) {
    const value = reader.raw(name)
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) reader.report(name, why, { level: 'warning', lint: 'unsupported' })
  }
}

function mapOf(value: unknown): Json {
  return isMap(value) ? value : {}
}

/** The text of a file beside the document. */
export async function textBeside(
  { tree, folder }: Pick<ForeignDocument, 'tree' | 'folder'>,
  file: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const problem = pathProblem(file)
  if (problem !== null) return { problem }
  const path = inFolder(folder, file)
  if (!tree.sizes.has(path)) return { problem: `there is no file ${file}` }
  const read = await readText(startReading(tree, []), { path, kind: 'text' })
  return 'problem' in read ? { problem: `${file} ${read.problem}` } : read
}
