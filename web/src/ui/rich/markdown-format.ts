export type Format = 'bold' | 'italic' | 'heading' | 'link' | 'code' | 'list' | 'note' | 'connection'

export interface Selection {
  readonly from: number
  readonly to: number
}

export interface Change {
  /** Replaced range, as offsets in the old text. */
  readonly from: number
  readonly to: number
  readonly insert: string
  /** Selection after the change, as offsets in the new text. */
  readonly select: Selection
}

const AROUND: Partial<Record<Format, readonly [before: string, after: string, usual: string]>> = {
  bold: ['**', '**', 'bold'],
  italic: ['*', '*', 'italic'],
  link: ['[', '](https://)', 'text'],
}

const BEFORE_LINES: Partial<Record<Format, readonly [first: string, each: string]>> = {
  heading: ['', '## '],
  list: ['', '- '],
  note: ['> [!NOTE]\n', '> '],
  connection: ['> [!CONNECTION]\n', '> '],
}

/** Applies a toolbar format to the selection: around it, or to all its lines. */
export function formatted(text: string, { from, to }: Selection, format: Format): Change {
  const selected = text.slice(from, to)
  if (format === 'code') {
    return selected.includes('\n')
      ? around({ from, to }, ['```\n', '\n```', ''], selected)
      : around({ from, to }, ['`', '`', 'code'], selected)
  }
  const frame = AROUND[format]
  if (frame) return around({ from, to }, frame, selected)
  const [first, each] = BEFORE_LINES[format] ?? ['', '']
  const begin = text.lastIndexOf('\n', from - 1) + 1
  const lines = text.slice(begin, to).split('\n')
  const insert = first + lines.map((line) => each + line).join('\n')
  const end = begin + insert.length
  return { from: begin, to, insert, select: { from: end, to: end } }
}

function around(
  { from, to }: Selection,
  [before, after, usual]: readonly [string, string, string],
  selected: string,
): Change {
  const inner = selected === '' ? usual : selected
  const begin = from + before.length
  return { from, to, insert: before + inner + after, select: { from: begin, to: begin + inner.length } }
}

/** Markdown for an uploaded file: images are embedded, others linked. */
export function fileLink(name: string, url: string, isPicture: boolean): string {
  const label = name.replaceAll(/[\\[\]]/g, String.raw`\$&`)
  // Spaces or brackets would end the URL early.
  const address = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : url
  return `${isPicture ? '!' : ''}[${label}](${address})`
}
