// Python's YAML allows the lines of a quoted text and of [ ] and { } to begin anywhere. The library wants them indented more
// than the value's key. Spaces at the beginning of such a line mean nothing, so they are added before parsing.

interface Scan {
  readonly text: string
  at: number
  /** Offsets of line starts that need more indentation, and how much. */
  readonly added: { readonly at: number; readonly count: number }[]
}

/** Blocks that are indented more are refused. */
const MAX_INDENT = 240
const FENCE = /(?:---|\.\.\.)(?:\s|$)/y
const PROPERTY = /(?:[&!][^\s,[\]{}]*[ \t]+)+/y
const SPACE = /[ \t]+/y

/** The same document with enough indentation; every line keeps its number. */
export function indentContinuations(text: string): string {
  const scan: Scan = { text, at: 0, added: [] }
  /** Where the parent of a value in the next line begins. */
  let parent = -1
  while (scan.at < text.length) parent = readLine(scan, parent)
  let result = ''
  let from = 0
  for (const { at, count } of scan.added) {
    result += text.slice(from, at) + ' '.repeat(count)
    from = at
  }
  return result + text.slice(from)
}

/** Reads a line of a block and what it begins. Returns the column that a value in the next line belongs to. */
function readLine(scan: Scan, before: number): number {
  const { text } = scan
  const start = scan.at
  skip(scan, SPACE)
  let parent = before
  while (/[-?]/.test(text[scan.at] ?? '') && /[ \t]/.test(text[scan.at + 1] ?? '')) {
    parent = scan.at - start
    scan.at += 1
    skip(scan, SPACE)
  }
  for (;;) {
    const column = scan.at - start
    skip(scan, PROPERTY)
    const first = text[scan.at] ?? '\n'
    if (/[\r\n#%]/.test(first) || isFence(scan, start)) return endLine(scan, parent)
    const isClosed = /["'[{]/.test(first) ? readClosed(scan, parent) : null
    if (isClosed === false) return stop(scan)
    skip(scan, SPACE)
    const isKey = isClosed === null ? readKey(scan) : text[scan.at] === ':'
    if (!isKey) {
      if (isClosed === null) readRest(scan, parent)
      return endLine(scan, parent)
    }
    scan.at += 1
    skip(scan, SPACE)
    parent = column
  }
}

function isFence(scan: Scan, start: number): boolean {
  FENCE.lastIndex = start
  return scan.at === start && FENCE.test(scan.text)
}

function skip(scan: Scan, pattern: RegExp): void {
  pattern.lastIndex = scan.at
  if (pattern.test(scan.text)) scan.at = pattern.lastIndex
}

function endLine(scan: Scan, parent: number): number {
  const end = scan.text.indexOf('\n', scan.at)
  scan.at = end === -1 ? scan.text.length : end + 1
  return parent
}

/** What has no end is left to the parser, which reports it. */
function stop(scan: Scan): number {
  scan.at = scan.text.length
  return -1
}

/** Whether a plain text is a key: then stops at its colon. */
function readKey(scan: Scan): boolean {
  const { text } = scan
  for (let at = scan.at; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\n' || (letter === '#' && /[ \t]/.test(text[at - 1] ?? ''))) return false
    if (letter !== ':' || !/[\s]/.test(text[at + 1] ?? '\n')) continue
    scan.at = at
    return true
  }
  return false
}

/** Skips the lines of a block after | or >, and those of a plain text. */
function readRest(scan: Scan, parent: number): void {
  const { text } = scan
  for (;;) {
    const next = text.indexOf('\n', scan.at) + 1
    if (next === 0) return
    const indent = /[ \t]*/y
    indent.lastIndex = next
    indent.test(text)
    const isBlank = /[\r\n]/.test(text[indent.lastIndex] ?? '')
    if (!isBlank && indent.lastIndex - next <= parent) return
    if (indent.lastIndex >= text.length) return
    scan.at = isBlank ? indent.lastIndex : indent.lastIndex + 1
  }
}

/** Reads a quoted text or a flow collection to its end; false if it has none. */
function readClosed(scan: Scan, parent: number): boolean {
  const { text } = scan
  const open: string[] = []
  let isStart = true
  while (scan.at < text.length) {
    const letter = text[scan.at] ?? ''
    if (isStart && /["']/.test(letter)) {
      if (!readQuoted(scan, parent)) return false
      isStart = false
    } else {
      scan.at += 1
      if (letter === '\n') {
        if (!indentLine(scan, parent)) return false
      } else if (letter === '#' && /\s/.test(text[scan.at - 2] ?? '')) {
        const end = text.indexOf('\n', scan.at)
        scan.at = end === -1 ? text.length : end
      } else if (/[[{]/.test(letter)) open.push(letter)
      else if (/[\]}]/.test(letter)) open.pop()
      if (!/\s/.test(letter)) isStart = /[[{,:?]/.test(letter)
    }
    if (open.length === 0) return true
  }
  return false
}

function readQuoted(scan: Scan, parent: number): boolean {
  const { text } = scan
  const quote = text[scan.at]
  for (scan.at += 1; scan.at < text.length; scan.at++) {
    const letter = text[scan.at]
    if (letter === '\\' && quote === '"') {
      // An escaped line break is still one.
      if (text[scan.at + 1] !== '\n') scan.at += 1
    } else if (letter === quote) {
      if (quote === '"' || text[scan.at + 1] !== "'") {
        scan.at += 1
        return true
      }
      scan.at += 1
    } else if (letter === '\n') {
      scan.at += 1
      if (!indentLine(scan, parent)) return false
      scan.at -= 1
    }
  }
  return false
}

/** Called at the beginning of a line inside of a value; false where a document ends. */
function indentLine(scan: Scan, parent: number): boolean {
  const { text, at, added } = scan
  FENCE.lastIndex = at
  if (FENCE.test(text)) return false
  const indent = / */y
  indent.lastIndex = at
  indent.test(text)
  const missing = Math.min(parent, MAX_INDENT) + 1 - (indent.lastIndex - at)
  if (missing > 0 && !/[\r\n]/.test(text[indent.lastIndex] ?? '\n')) added.push({ at, count: missing })
  return true
}
