interface Mistake {
  readonly code: string
  readonly message: string
  /** Offsets in the text. */
  readonly pos: readonly [number, number]
}

const REMEDIES: Readonly<Record<string, string>> = {
  ALIAS_PROPS: 'an alias (*name) has nothing before it: put the value in quotes if * is part of it',
  BAD_ALIAS: 'a value that begins with * is an alias: put it in quotes',
  BAD_DIRECTIVE: 'a line that begins with % is a directive: indent it, or put the text in quotes',
  BAD_DQ_ESCAPE: String.raw`a backslash in "double quotes" begins a code: write \\, or use single quotes`,
  BAD_INDENT:
    'the indentation is wrong: indent all keys of a map alike, and the lines of a text more than its key',
  BAD_PROP_ORDER: 'an anchor or a tag is in the wrong place: put the value in quotes if & or ! is part of it',
  BAD_SCALAR_START: 'a value begins with a sign that has a meaning in YAML: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value has a colon and a space in it: put the whole value in quotes',
  BLOCK_IN_FLOW:
    'a list or map of several lines is inside of [ ] or { }: write all of it in one of the two ways',
  KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters: put the value in quotes if it is no key',
  MULTILINE_IMPLICIT_KEY:
    'a line has no key: indent it more than the key of its text, or put the text in quotes',
  MULTIPLE_ANCHORS: 'a value has two anchors: put it in quotes if & is part of it',
  MULTIPLE_DOCS: 'there is more than one document: remove the lines --- after the first',
  MULTIPLE_TAGS: 'a value has two tags: put it in quotes if ! is part of it',
  TAB_AS_INDENT: 'a tab indents the line: use spaces',
  TAG_RESOLVE_FAILED: 'a value does not fit its tag (!name): remove the tag, or put the value in quotes',
  UNEXPECTED_TOKEN: 'something follows the end of a value: put the whole value in quotes',
}

/** What is wrong and what to write instead, with the line. */
export function describeMistake({ code, message, pos: [start] }: Mistake, text: string): string {
  return `${REMEDIES[code] ?? missingSign(message)} at ${placeAt(text, start)}`
}

/** The library names the sign only in its message. */
function missingSign(message: string): string {
  if (/quote/.test(message))
    return 'a text in quotes has no end: close the quote, or double it if it is part of the text'
  if (/map keys/.test(message)) return `${REMEDIES['MULTILINE_IMPLICIT_KEY']}`
  if (/flow|[[\]{}]|comma|,/i.test(message))
    return 'a list or map in brackets is not complete: close it, put commas between its parts, and put texts with { in quotes'
  return 'it cannot be read: check the quotes, the brackets and the indentation'
}

function placeAt(text: string, offset: number): string {
  const column = offset - text.lastIndexOf('\n', offset - 1)
  return `line ${lineAt(text, offset)}, column ${offset === 0 ? 1 : column}`
}

/** Counts from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
