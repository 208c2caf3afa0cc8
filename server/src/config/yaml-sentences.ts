import type { YAMLError } from 'yaml'

const SENTENCES: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BAD_ALIAS: 'an alias (*name) has no anchor (&name) before it; quote a text that begins with *',
  BAD_DQ_ESCAPE:
    'a text in double quotes has a backslash that escapes nothing; write \\\\, or use single quotes',
  BAD_INDENT: 'the indentation is wrong; indent keys of one map equally, with spaces',
  BAD_SCALAR_START: 'a text begins with a character that YAML reserves; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a value contains `: `, or a key is on the line of another one; put the value in quotes',
  BLOCK_IN_FLOW: 'a list or map with indentation is inside [ ] or { }; use one of the two forms',
  DUPLICATE_KEY: 'a key is there twice; remove one',
  MISSING_CHAR: 'a character is missing: a closing quote, ] or }, or the space after a colon or comma',
  MULTILINE_IMPLICIT_KEY:
    'a line has no colon after its key, or a text without quotes continues on the next line',
  MULTIPLE_DOCS: 'there are several documents, separated by ---; use one',
  TAB_AS_INDENT: 'a tab is used for indentation; use spaces',
  TAG_RESOLVE_FAILED: 'a tag (!name) is not supported; remove it',
  UNEXPECTED_TOKEN: 'a character is out of place; put texts with special characters in quotes',
}

/** `line 3: …` for an error of the parser, in our words. */
export function yamlSentence({ code, linePos }: Pick<YAMLError, 'code' | 'linePos'>): string {
  const sentence = SENTENCES[code] ?? 'the text is not YAML; check quotes, colons and indentation'
  return `line ${linePos?.[0].line ?? 1}: ${sentence}`
}
