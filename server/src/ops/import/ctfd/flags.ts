import { submittable } from '../flags.ts'
import type { FlagEntry } from '../../../world/model.ts'
import { textOf, type Json } from '../json.ts'
import type { Report } from '../report.ts'
import { translateRegex } from '../../../lib/python-regex.ts'

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

interface Named {
  readonly name: string
  readonly report: Report
}

/** Flags of a challenge. Those that cannot be carried over are reported. */
export function readFlags(rows: readonly Json[], { name, report }: Named): FlagEntry[] {
  return rows.flatMap((row) => {
    const content = textOf(row['content'])
    const isInsensitive = row['data'] === 'case_insensitive'
    const entry = content === '' ? null : entryOf(textOf(row['type']), { content, isInsensitive })
    if (entry === null) {
      const text = 'Flags have a type or a pattern that cannot be carried over.'
      report.loss('flags', text, `${name}: ${textOf(row['type'])}`)
      return []
    }
    if (isInsensitive && !PRINTABLE_ASCII.test(content))
      report.note(
        'flag-case',
        'Flags without regard to case contain letters that are compared differently.',
        name,
      )
    return submittable(entry, name, report)
  })
}

interface Content {
  readonly content: string
  readonly isInsensitive: boolean
}

function entryOf(type: string, { content, isInsensitive }: Content): FlagEntry | null {
  if (type === 'regex') {
    const translated = translateRegex(content, isInsensitive)
    return 'problem' in translated ? null : { provider: 'flags/regex', config: withFlags(translated) }
  }
  if (type !== 'static') return null
  if (!isInsensitive) return { provider: 'flags/static', config: { flag: content } }
  const pattern = `^${content.trim().replaceAll(SPECIAL, String.raw`\$&`)}$`
  return { provider: 'flags/regex', config: { pattern, flags: 'i', flagValue: content } }
}

function withFlags({ pattern, flags }: { readonly pattern: string; readonly flags: string }) {
  return flags === '' ? { pattern } : { pattern, flags }
}
