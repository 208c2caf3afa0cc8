import type { TokenizerAndRendererExtension } from 'marked'

const MAX_NOTES = 500
/** The label, the text, and its further lines: indented, also after empty lines. */
const NOTE = /^ {0,3}\[\^([^\]\s]{1,64})\]:[ \t]*([^\n]*(?:\n+(?: {2,}|\t)[^\n]+)*)(?:\n|$)/
const REFERENCE = /^\[\^([^\]\s]{1,64})\]/

/** Footnotes as elements with their label, which `linkFootnotes` numbers and moves. */
export function footnoteExtensions(escape: (text: string) => string): TokenizerAndRendererExtension[] {
  return [
    {
      name: 'footnote',
      level: 'block',
      tokenizer(src) {
        const [raw, label, text = ''] = NOTE.exec(src) ?? []
        if (raw === undefined) return undefined
        const tokens = this.lexer.blockTokens(text.replaceAll(/\n(?: {2,4}|\t)/g, '\n'), [])
        return { type: 'footnote', raw, label, tokens }
      },
      renderer({ tokens = [], ...token }) {
        const label = escape(String(token['label']))
        return `<div data-pn-note="${label}">${this.parser.parse(tokens)}</div>`
      },
    },
    {
      name: 'footnoteReference',
      level: 'inline',
      tokenizer(src) {
        const [raw, label] = REFERENCE.exec(src) ?? []
        return raw === undefined ? undefined : { type: 'footnoteReference', raw, label }
      },
      renderer: ({ raw, ...token }) =>
        `<sup data-pn-note-reference="${escape(String(token['label']))}">${escape(raw)}</sup>`,
    },
  ]
}

interface FootnoteTexts {
  readonly footnotes: string
  readonly backToText: (number: number) => string
}

/**
 * Numbers footnotes in the order of their references, links both, and moves the notes to the end. `prefix` keeps ids of several
 * texts of a page apart. A reference without a note stays text; a note without a reference is shown last.
 */
export function linkFootnotes(fragment: DocumentFragment, prefix: string, texts: FootnoteTexts): void {
  const notes = new Map<string, HTMLElement>()
  for (const note of fragment.querySelectorAll<HTMLElement>('[data-pn-note]')) {
    const label = note.dataset['pnNote'] ?? ''
    if (notes.size < MAX_NOTES && !notes.has(label)) notes.set(label, note)
  }
  const numbers = new Map<string, number>()
  const references = new Map<string, HTMLAnchorElement[]>()
  for (const place of fragment.querySelectorAll<HTMLElement>('[data-pn-note-reference]')) {
    const label = place.dataset['pnNoteReference'] ?? ''
    if (!notes.has(label) || place.closest('a')) {
      place.replaceWith(place.textContent)
      continue
    }
    const number = numbers.get(label) ?? numbers.size + 1
    numbers.set(label, number)
    const links = references.get(label) ?? []
    references.set(label, links)
    const link = anchor(`${prefix}-${number}`, String(number))
    link.id = `${prefix}-${number}-${links.push(link)}`
    place.replaceChildren(link)
  }
  if (notes.size === 0) return
  const list = document.createElement('ol')
  for (const label of [...numbers.keys(), ...[...notes.keys()].filter((each) => !numbers.has(each))]) {
    const item = document.createElement('li')
    const note = notes.get(label)
    const number = numbers.get(label)
    if (number !== undefined) item.id = `${prefix}-${number}`
    item.append(...(note?.childNodes ?? []))
    note?.remove()
    const last = item.lastElementChild?.localName === 'p' ? item.lastElementChild : item
    for (const { id } of references.get(label) ?? []) {
      const back = anchor(id, '↩')
      back.setAttribute('aria-label', texts.backToText(number ?? 0))
      last.append(' ', back)
    }
    list.append(item)
  }
  const section = document.createElement('section')
  section.setAttribute('aria-label', texts.footnotes)
  section.dataset['footnotes'] = ''
  section.append(list)
  fragment.append(section)
}

function anchor(id: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = `#${id}`
  link.textContent = text
  return link
}
