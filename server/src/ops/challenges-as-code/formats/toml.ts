import type { Parsed } from '../../../features/organisers/archives/yaml.ts'

export function isToml(file: string): boolean {
  return file.endsWith('.toml')
}

/** Parses TOML as `parseYaml` parses YAML. The parser is loaded on demand. */
export async function parseToml(
  source: string,
  { scalars = 'typed' }: { readonly scalars?: 'typed' | 'text' } = {},
): Promise<Parsed> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return { value: plain(parse(source.replace(/^\uFEFF/, '')), scalars === 'text') }
  } catch (error) {
    // The sentences of the parser are for programmers.
    const line = error instanceof TomlError ? error.line : 0
    const shown = source.split('\n')[line - 1]?.trim().slice(0, MAX_SHOWN) ?? ''
    const remedy = 'write key = "text", [tables] and [[lists of tables]], or use kona.yaml'
    return { error: `is not valid TOML at line ${line} (${shown}): ${remedy}` }
  }
}

const MAX_SHOWN = 60

/** Dates become texts, and maps get the prototype that others have. The parser bounds the depth. */
function plain(value: unknown, isText: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, isText))
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null) return isText ? String(value) : value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner, isText)]))
}

/** The line of a value, or of its closest parent: as `lineOf`, by the names of keys. Counts from 1. */
export function lineInToml(source: string, path: readonly string[]): number {
  const lines = source.split('\n').map((line) => line.trim())
  let at = 0
  for (const [index, part] of path.entries()) {
    const isListed = /^\d+$/.test(path[index + 1] ?? '')
    if (/^\d+$/.test(part)) {
      const starts = lines.flatMap((line, number) => (line === `[[${path[index - 1]}]]` ? [number] : []))
      at = starts[Number(part)] ?? at
    } else if (!isListed) {
      const found = lines.findIndex(
        (line, number) =>
          number >= at &&
          (line.startsWith(`${part} `) ||
            line.startsWith(`${part}=`) ||
            line.endsWith(`.${part}]`) ||
            line === `[${part}]`),
      )
      at = found === -1 ? at : found
    }
  }
  return at + 1
}
