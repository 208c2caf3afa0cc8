import { StartError } from '../../../lib/errors.ts'

// PostgreSQL's text format of COPY, which live databases and dumps share.

export type Row = Readonly<Record<string, string | null>>

/** Far above any row: challenges with long descriptions are a few hundred kilobytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

const NEWLINE = 10
const CARRIAGE_RETURN = 13

/**
 * Splits bytes into lines, without the line ends: the lines that end in one chunk at a time, which must be read before the
 * next. A promise for each line would take minutes for a dump of empty ones.
 */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Iterable<Buffer>> {
  let pending: Buffer[] = []
  let length = 0

  function* linesIn(chunk: Buffer): Generator<Buffer> {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end)
      yield pending.length === 0 ? trimmed(piece) : trimmed(Buffer.concat([...pending, piece]))
      pending = []
      length = 0
      start = end + 1
    }
    const rest = chunk.subarray(start)
    length += rest.length
    if (length > MAX_LINE_BYTES)
      throw new StartError(`A line of the dump is longer than ${MAX_LINE_BYTES} bytes. Nothing was imported.`)
    if (rest.length > 0) pending.push(Buffer.from(rest))
  }

  for await (const chunk of source) yield linesIn(chunk)
  if (pending.length > 0) yield [trimmed(Buffer.concat(pending))]
}

/** Dumps that passed through Windows. A carriage return inside of a value is escaped. */
function trimmed(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
}

export function readRow(line: string, columns: readonly string[]): Row {
  const values = line.split('\t')
  if (values.length !== columns.length)
    throw new StartError(
      `The dump is damaged: a row has ${values.length} values instead of ${columns.length}. Nothing was imported.`,
    )
  return Object.fromEntries(columns.map((column, at) => [column, unescaped(values[at] ?? '')]))
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescaped(value: string): string | null {
  if (value === String.raw`\N`) return null
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[^])/g, (_, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    return ESCAPES[code] ?? code
  })
}

/** The names in a list of columns: `id, "createdAt"`. */
export function readNames(list: string): string[] {
  return list.split(',').map((name) => unquoted(name.trim()))
}

/** The last part of a name with a schema: `public.users`, `"public"."users"`. */
export function tableOf(name: string): string {
  return unquoted(name.split('.').at(-1) ?? '')
}

function unquoted(name: string): string {
  return name.replaceAll(/^"|"$/g, '').replaceAll('""', '"')
}
