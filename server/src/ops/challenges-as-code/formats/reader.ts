import { locate } from '../../../features/organisers/archives/locate.ts'
import { readText, startReading } from '../../../features/organisers/archives/read-folders.ts'
import { instantOf, isTricky } from './scalars.ts'
import {
  isMap,
  mapOf,
  type ForeignDocument,
  type Json,
  type Problem,
  type Translation,
} from './translation.ts'
import { unknownKeys } from './unknown-keys.ts'

const TRUE = /^(?:true|yes|on|1)$/i
const FALSE = /^(?:false|no|off|0)$/i
const NULL = /^(?:|~|null)$/i

/** Remembers which keys were asked for: those that are left are reported as unknown. */
export interface Reader {
  report(field: string, message: string, rest?: Partial<Problem>): void
  /** About what is left out or differs, unless `rest` says otherwise. */
  warn(field: string, message: string, rest?: Partial<Problem>): void
  /** Undefined if it is absent or null. */
  raw(name: string): unknown
  string(name: string): string | undefined
  /** By the rules of YAML 1.1, or digits in quotes. */
  integer(name: string): number | undefined
  boolean(name: string): boolean | undefined
  strings(name: string): readonly string[] | undefined
  /** A date and time in ISO 8601, with a zone if the document has one. */
  instant(name: string): string | undefined
  list(name: string): readonly unknown[]
  /** The items of a list: texts, and maps whose keys are checked too. */
  items(name: string): readonly (string | Reader)[]
  /** The value with its types, for what is passed on as it is. */
  typed(name: string): unknown
  /** A map inside of this one, whose keys are checked too. */
  map(name: string): Reader
  /** Whether it is more than null, an empty text, list or map. */
  has(name: string): boolean
  /** Keys that are known and change nothing. */
  ignore(...names: readonly string[]): void
  keys(): readonly string[]
  /** All problems, those of the maps inside and of unknown keys included. */
  all(): Problem[]
}

type Content = Pick<ForeignDocument, 'typed' | 'text'>

/** Reads the fields of a foreign document and collects what is wrong with them. */
export function createReader({ typed, text }: Content, prefix = ''): Reader {
  const problems: Problem[] = []
  const nested = new Map<string, Reader>()
  const known = new Set<string>()

  function raw(name: string): unknown {
    known.add(name)
    const value = Object.hasOwn(text, name) ? text[name] : undefined
    return typeof value === 'string' && NULL.test(value) && typeof typed[name] !== 'string'
      ? undefined
      : value
  }

  function inner(name: string, content: Content): Reader {
    const reader = nested.get(name) ?? createReader(content, `${prefix}${name}.`)
    nested.set(name, reader)
    return reader
  }

  const values = valuesOf({
    raw,
    typed,
    report(field, message, rest = {}) {
      problems.push({ level: 'error', lint: 'document', ...rest, field: prefix + field, message })
    },
  })
  return {
    ...values,
    items(name) {
      const types = typed[name]
      return values.list(name).flatMap((item, index): (string | Reader)[] => {
        if (typeof item === 'string') return [item]
        const content = { text: mapOf(item), typed: mapOf(Array.isArray(types) ? types[index] : undefined) }
        if (isMap(item)) return [inner(`${name}.${index}`, content)]
        values.report(`${name}.${index}`, 'must be text or a map')
        return []
      })
    },
    typed(name) {
      known.add(name)
      return typed[name]
    },
    map(name) {
      const value = raw(name)
      if (value !== undefined && !isMap(value) && !nested.has(name)) values.report(name, 'must be a map')
      return inner(name, { typed: mapOf(typed[name]), text: mapOf(value) })
    },
    ignore(...names) {
      for (const name of names) known.add(name)
    },
    keys: () => Object.keys(text),
    all() {
      const unknown = unknownKeys(text, known).map((each) => ({ ...each, field: prefix + each.field }))
      return [...problems, ...unknown, ...[...nested.values()].flatMap((reader) => reader.all())]
    },
  }
}

/** The values that are no maps. */
function valuesOf({ raw, typed, report }: Pick<Reader, 'raw' | 'report'> & { readonly typed: Json }) {
  function string(name: string): string | undefined {
    const value = raw(name)
    if (value === undefined || typeof value === 'string') return value
    report(name, 'must be text')
    return undefined
  }

  const warn: Reader['warn'] = (field, message, rest) =>
    report(field, message, { level: 'warning', lint: 'unsupported', ...rest })

  return {
    raw,
    report,
    warn,
    string,
    integer(name: string): number | undefined {
      const source = string(name)
      // Authors leave the keys of a template empty.
      if (source === undefined || source.trim() === '') return undefined
      const value = typed[name]
      if (typeof value === 'number' && Number.isSafeInteger(value)) {
        const message = `${source} is ${value} in YAML: write ${value}, or the number that you mean`
        if (isTricky(source)) warn(name, message, { lint: 'yaml' })
        return value
      }
      if (/^[+-]?\d{1,15}$/.test(source.trim())) return Number(source)
      report(name, 'must be an integer')
      return undefined
    },
    boolean(name: string): boolean | undefined {
      const value = string(name)
      if (value === undefined) return undefined
      if (TRUE.test(value)) return true
      if (FALSE.test(value)) return false
      report(name, 'must be true or false')
      return undefined
    },
    strings(name: string): readonly string[] | undefined {
      const value = raw(name)
      if (value === undefined) return undefined
      const types = typed[name]
      const listed: readonly unknown[] = Array.isArray(value) ? value : [value]
      // An item that is null is empty, as in a template.
      const all = listed.filter((_, index) => !(Array.isArray(types) && types[index] === null))
      if (all.every((item) => typeof item === 'string')) return all
      report(name, 'must be a list of texts')
      return undefined
    },
    instant(name: string): string | undefined {
      const value = string(name)
      return value === undefined ? undefined : instantOf(value)
    },
    list(name: string): readonly unknown[] {
      const value = raw(name)
      if (value === undefined) return []
      if (Array.isArray(value)) return value
      report(name, 'must be a list')
      return []
    },
    has: (name: string) => !isEmpty(raw(name)),
  }
}

function isEmpty(value: unknown): boolean {
  if (isMap(value)) return Object.keys(value).length === 0
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

export const NOT_HERE = 'has no counterpart in Pennant and is left out'
export const ANY_ATTEMPTS = 'is not supported: any number of attempts is possible'

/** Refuses a kind of challenge or flag. If that is allowed, the challenge is hidden. */
export function refuseType(reader: Reader, field: string, what: string): void {
  reader.report(field, `${what}; set up the challenge on the site, or allow it to be hidden`, {
    lint: 'type',
  })
}

/** A challenge that was read, with what most formats have in common. */
export function translationOf(
  reader: Reader,
  given: Pick<Translation, 'content' | 'id' | 'fields'> & Partial<Translation>,
): Translation {
  return {
    defaults: { hidden: false },
    otherIds: [],
    isNamed: false,
    at: [],
    problems: reader.all(),
    ...given,
  }
}

/** Names what has no counterpart here, if it is set. */
export function warnUnsupported(reader: Reader, names: readonly string[], why: string): void {
  for (const name of names) if (reader.has(name)) reader.warn(name, why)
}

/** The text of a file of the repository, by its path from the folder of the document. */
export async function textBeside(
  { tree, folder }: Pick<ForeignDocument, 'tree' | 'folder'>,
  file: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const found = await locate(tree, folder, file)
  if ('problem' in found) return { problem: `${file}: ${found.problem}` }
  const read = await readText(startReading(tree, []), { path: found.path, kind: 'text' })
  return 'problem' in read ? { problem: `${file} ${read.problem}` } : read
}
