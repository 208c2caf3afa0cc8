import type { TokenizerAndRendererExtension } from 'marked'

// Pandoc's rules: `$` opens before a non-space and closes after one, and not before a letter or digit, so `$5 and $6` and
// `$HOME/$USER` are texts. Each pattern stops at its own opening mark, so that many unclosed ones take linear time.
const INLINE = /^\$(?![\s$])((?:\\[^]|[^\\$`\n]|\n(?![ \t]*\n))+?)(?<!\s)\$(?![\p{L}\d$])/u
const IN_BRACKETS = /^\\\(((?:\\[^()]|[^\\\n]|\n(?![ \t]*\n))+?)\\\)/
const DISPLAY = /^\$\$((?:\\[^]|[^\\$\n]|\$(?!\$)|\n(?![ \t]*\n))+?)\$\$/
/** Only as a block of its own, because `\[` is also an escaped bracket. */
const IN_SQUARES = /^\\\[((?:\\[^[\]]|[^\\\n]|\n(?![ \t]*\n))+?)\\\]/
/** What ends a paragraph without an empty line: a formula, or a footnote (`footnotes.ts`). */
const BLOCK_START = /\n {0,3}(?:\$\$|\\\[|\[\^[^\]\s]{1,64}\]:)/
/** The library asks for each text where the next mark is: looking through all of it each time would take quadratic time. */
const MAX_LOOKAHEAD = 2000
/** Not after a letter or digit, as in `US$5`. */
const START = /(?<![\p{L}\d\\$])\$/u

/** Whether the text has what looks like a formula, also in code. */
export function mayHaveMaths(text: string): boolean {
  return /\$\$|\\\(|^ {0,3}\\\[|(?<![\p{L}\d\\$])\$(?![\s$])[^$`]+(?<!\s)\$(?![\p{L}\d$])/mu.test(text)
}

/** Formulas as elements with their source, which `typeset.ts` replaces. `escape` makes HTML of text. */
export function mathsExtensions(escape: (text: string) => string): TokenizerAndRendererExtension[] {
  const markup = (tag: string, kind: string, raw: string) =>
    `<${tag} data-pn-math="${kind}">${escape(raw.trim())}</${tag}>`
  return [
    {
      name: 'mathsBlock',
      level: 'block',
      start: (src) => BLOCK_START.exec(src.slice(0, MAX_LOOKAHEAD))?.index,
      tokenizer(src) {
        const indent = /^ {0,3}/.exec(src)?.[0] ?? ''
        const from = src.slice(indent.length)
        const [found] = DISPLAY.exec(from) ?? IN_SQUARES.exec(from) ?? []
        const rest = /^[ \t]*(?:\n|$)/.exec(from.slice(found?.length))
        return found !== undefined && rest ? { type: 'mathsBlock', raw: indent + found + rest[0] } : undefined
      },
      renderer: ({ raw }) => markup('div', 'block', raw),
    },
    {
      name: 'maths',
      level: 'inline',
      start(src) {
        const found = START.exec(src.slice(0, MAX_LOOKAHEAD))?.index
        return found ?? (src.length > MAX_LOOKAHEAD ? src.lastIndexOf(' ', MAX_LOOKAHEAD) : undefined)
      },
      tokenizer(src) {
        const display = DISPLAY.exec(src)
        const [raw] = display ?? INLINE.exec(src) ?? IN_BRACKETS.exec(src) ?? []
        return raw === undefined ? undefined : { type: 'maths', raw, kind: display ? 'block' : 'inline' }
      },
      renderer: ({ raw, ...token }) => markup('span', String(token['kind']), raw),
    },
  ]
}
