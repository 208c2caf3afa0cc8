type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `.ctf/config` as Python's configparser reads it: `=` or `:`, comments on their own lines, indented continuations. */
export function readConfig(text: string): Sections {
  const sections = new Map<string, Map<string, string>>()
  let section: Map<string, string> | undefined
  let key: string | undefined
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const trimmed = line.trim()
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue
    if (/^\s/.test(line) && section && key !== undefined) {
      section.set(key, `${section.get(key)}\n${trimmed}`)
      continue
    }
    const name = /^\[(.+)\]/.exec(trimmed)?.[1]
    if (name !== undefined) {
      section = sections.get(name) ?? new Map<string, string>()
      sections.set(name, section)
      key = undefined
      continue
    }
    const at = trimmed.search(/[=:]/)
    key = (at === -1 ? trimmed : trimmed.slice(0, at)).trim()
    section?.set(key, at === -1 ? '' : trimmed.slice(at + 1).trim())
  }
  return Object.fromEntries(Array.from(sections, ([name, keys]) => [name, Object.fromEntries(keys)]))
}
