import { flagOf, reportAt } from './ctfd-flags.ts'
import { textBeside, type Reader } from './reader.ts'
import { isMap, type ForeignDocument, type Json } from './translation.ts'

/** `flags.rctf` in all its forms, else `flags.ctfd`. */
export async function flagsOf(document: ForeignDocument, reader: Reader): Promise<unknown[] | undefined> {
  if (reader.raw('flags') === undefined) return undefined
  const flags = reader.map('flags')
  const rctf = flags.raw('rctf')
  const list: readonly unknown[] = Array.isArray(rctf) ? rctf : rctf === undefined ? [] : [rctf]
  const types = flags.typed('rctf')
  const typed: readonly unknown[] = Array.isArray(types) ? types : [types]
  const entries: unknown[] = []
  for (const [index, flag] of list.entries()) {
    const field = Array.isArray(rctf) ? `rctf.${index}` : 'rctf'
    const entry = await entryOf(document, { text: flag, typed: typed[index] }, (message, key = '') => {
      flags.report(field + key, message, key === '.file' ? { lint: 'missing-file' } : {})
    })
    if (entry !== null) entries.push(entry)
  }
  const others = flags.items('ctfd')
  if (list.length > 0) {
    for (const other of others) if (typeof other !== 'string') other.ignore('type', 'flag')
    return entries
  }
  for (const [index, other] of others.entries()) {
    const content = typeof other === 'string' ? other : await contentOf(document, other.raw('flag'))
    const type = typeof other === 'string' ? undefined : other.string('type')
    const report = reportAt(flags, `ctfd.${index}`)
    if (typeof content === 'string') entries.push(...flagOf({ type, content }, report))
    else report(content.problem)
  }
  return entries
}

type Refuse = (message: string, key?: string) => void

interface Given {
  readonly text: unknown
  readonly typed: unknown
}

const SHAPES = 'must be text, { str }, { file } or { provider, config }'

async function entryOf(
  document: ForeignDocument,
  { text, typed }: Given,
  refuse: Refuse,
): Promise<Json | null> {
  const isEntry = isMap(text) && ('provider' in text || 'config' in text || 'options' in text)
  if (!isEntry) {
    const content = await contentOf(document, text)
    if (typeof content === 'string') return content === '' ? null : { kind: 'static', flag: content }
    refuse(content.problem, content.isFile ? '.file' : '')
    return null
  }
  const { provider = 'flags/static' } = text
  if (typeof provider !== 'string') {
    refuse(SHAPES)
    return null
  }
  const config = isMap(typed) ? (typed['config'] ?? typed['options']) : {}
  const replaced = await replaceTexts(document, config, refuse)
  return { ...(isMap(replaced) ? replaced : {}), kind: provider.replace(/^flags\//, '') }
}

type Content = string | { readonly problem: string; readonly isFile: boolean }

/** The text of a flag, or of the file that it names. */
async function contentOf(document: ForeignDocument, flag: unknown): Promise<Content> {
  if (typeof flag === 'string') return flag
  const map = isMap(flag) ? flag : {}
  const text = map['str'] ?? map['str_content'] ?? map['strContent']
  const { file } = map
  if (typeof text === 'string') return text
  if (typeof file !== 'string') return { problem: SHAPES, isFile: false }
  const read = await textBeside(document, file)
  return 'text' in read ? read.text.trim() : { problem: read.problem, isFile: true }
}

/** In a configuration, a map with nothing but `str` or `file` is the text that it names. */
async function replaceTexts(document: ForeignDocument, value: unknown, refuse: Refuse): Promise<unknown> {
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const item of value) list.push(await replaceTexts(document, item, refuse))
    return list
  }
  if (!isMap(value)) return value
  const keys = Object.keys(value)
  if (keys.length > 0 && keys.every((key) => TEXT_KEYS.includes(key))) {
    const content = await contentOf(document, value)
    if (typeof content === 'string') return content
    refuse(content.problem, content.isFile ? '.file' : '')
    return value
  }
  const map: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) map[key] = await replaceTexts(document, inner, refuse)
  return map
}

const TEXT_KEYS = ['str', 'str_content', 'strContent', 'file']
