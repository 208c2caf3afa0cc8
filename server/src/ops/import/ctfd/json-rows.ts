import { StartError } from '../../../lib/errors.ts'
import { isObject, type Json } from '../json.ts'

// `{"count": n, "results": [row, ...], "meta": {}}`, of any size: only one row is in memory.

/** A page or a description with pictures inside may have megabytes. */
const MAX_ROW_BYTES = 32 * 1024 * 1024
/** Values of a row: CTFd has tables of twenty columns, some of which contain JSON. */
const MAX_ROW_VALUES = 100_000
/** Parsed values are copied recursively. */
const MAX_DEPTH = 100
/** Keys and numbers of the outer object; longer ones are none that matter. */
const MAX_LENGTH = 64

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [
  34, 92, 58, 44, 123, 125, 91, 93,
]
const RESULTS = 'results'
/** The outer object, the list, and a row. */
const ROW_DEPTH = 3

export interface SeenRows {
  count: number
  /** What the latest row takes in memory. */
  latest: { readonly bytes: number; readonly values: number }
  /** The `count` that the file states; null without one. */
  stated: number | null
}

/** The rows of a table. An empty file is a table without rows. */
export async function* jsonRows(
  content: AsyncIterable<Buffer>,
  { name, seen }: { readonly name: string; readonly seen: SeenRows },
): AsyncGenerator<Json> {
  const scanner = createScanner(name)
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    for (const row of scanner.add(chunk)) {
      seen.count += 1
      seen.latest = { bytes: row.length, values: scanner.values() }
      yield parsed(row, name)
    }
  }
  if (size > 0) seen.stated = scanner.end()
}

interface ScannerState {
  depth: number
  /** Commas and brackets of the row: it has at most one value more. */
  values: number
  isText: boolean
  isEscaped: boolean
  /** The latest text and the latest other characters of the outer object. */
  text: string
  plain: string
  key: string
  hasResults: boolean
  stated: string
}

/** Finds the rows without parsing what is around them. */
function createScanner(name: string) {
  const state: ScannerState = {
    depth: 0,
    values: 0,
    isText: false,
    isEscaped: false,
    text: '',
    plain: '',
    key: '',
    hasResults: false,
    stated: '',
  }
  let pending: Buffer[] | null = null
  let pendingBytes = 0

  function* add(chunk: Buffer): Generator<Buffer> {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const before = state.depth
      step(state, chunk[at] as number)
      if (state.depth > MAX_DEPTH) throw damaged(name, `it is nested deeper than ${MAX_DEPTH} levels`)
      if (state.values > MAX_ROW_VALUES) throw damaged(name, `a row has more than ${MAX_ROW_VALUES} values`)
      if (state.key !== RESULTS) continue
      if (before === ROW_DEPTH - 1 && state.depth === ROW_DEPTH) {
        pending = []
        pendingBytes = 0
        state.values = 0
        start = at
      } else if (pending && before === ROW_DEPTH && state.depth === ROW_DEPTH - 1) {
        yield Buffer.concat([...pending, chunk.subarray(start, at + 1)])
        pending = null
      }
    }
    if (!pending) return
    pendingBytes += chunk.length - start
    if (pendingBytes > MAX_ROW_BYTES) throw damaged(name, `a row is larger than ${MAX_ROW_BYTES} bytes`)
    pending.push(Buffer.from(chunk.subarray(start)))
  }

  return {
    add,
    /** Of the row that was yielded. */
    values: () => state.values,
    end(): number | null {
      if (state.depth !== 0 || state.isText) throw damaged(name, 'it ends early')
      if (!state.hasResults) throw damaged(name, 'it has no list of results')
      return /^\d+$/.test(state.stated) ? Number(state.stated) : null
    },
  }
}

/** Applies in place. */
function step(state: ScannerState, byte: number): void {
  const isOuter = state.depth === 1
  if (state.isText) {
    if (state.isEscaped) state.isEscaped = false
    else if (byte === BACKSLASH) state.isEscaped = true
    else if (byte === QUOTE) state.isText = false
    else if (isOuter && state.text.length < MAX_LENGTH) state.text += String.fromCharCode(byte)
    return
  }
  if (byte === QUOTE) {
    state.isText = true
    if (isOuter) state.text = ''
  } else if (byte === OPEN || byte === OPEN_LIST) {
    state.depth += 1
    state.values += 1
    if (isOuter && state.key === RESULTS && byte === OPEN_LIST) state.hasResults = true
  } else if (byte === CLOSE || byte === CLOSE_LIST) {
    if (isOuter) endValue(state)
    state.depth -= 1
  } else if (isOuter && byte === COLON) {
    state.key = state.text
    state.plain = ''
  } else if (byte === COMMA) {
    state.values += 1
    if (isOuter) endValue(state)
  } else if (isOuter && state.plain.length < MAX_LENGTH) state.plain += String.fromCharCode(byte)
}

function endValue(state: ScannerState): void {
  if (state.key === 'count') state.stated = state.plain.trim()
  state.key = ''
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The content is never part of a message: it may be a secret. */
function parsed(bytes: Buffer, name: string): Json {
  try {
    const row: unknown = JSON.parse(utf8.decode(bytes))
    if (isObject(row)) return row
  } catch {
    // Reported below.
  }
  throw damaged(name, 'a row is not valid JSON')
}

function damaged(name: string, reason: string): StartError {
  return new StartError(`The archive is damaged: ${name}: ${reason}. Nothing was imported.`)
}
