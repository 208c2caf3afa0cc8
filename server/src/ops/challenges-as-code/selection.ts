/** Which documents of a folder a command is about: patterns of paths, or ids. */
export interface Selection {
  readonly only: readonly string[]
  readonly exclude: readonly string[]
}

/** Whether a document is selected by its path and, once they are known, the ids of its challenge. */
export function isSelected({ only, exclude }: Selection, file: string, ids: readonly string[]): boolean {
  const names = [...ids, ...pathsOf(file)]
  const matches = (pattern: string) => names.some((name) => expressionOf(pattern).test(name))
  return (only.length === 0 || only.some(matches)) && !exclude.some(matches)
}

/** The patterns that match none of the documents. */
export function unmatched(
  patterns: readonly string[],
  documents: readonly { readonly file: string; readonly ids: readonly string[] }[],
): string[] {
  return patterns.filter(
    (pattern) => !documents.some(({ file, ids }) => isSelected({ only: [pattern], exclude: [] }, file, ids)),
  )
}

/** The path and those of the folders around it, so that `web` means all of `web/`. */
function pathsOf(file: string): string[] {
  const parts = file.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** `*` and `?` stay inside of a name, `**` does not. */
function expressionOf(pattern: string): RegExp {
  const tidy = pattern
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '')
  const source = tidy.replaceAll(/\*\*\/|\*\*|\*|\?|[\\^$.+()[\]{}|]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : `\\${part}`
  })
  return new RegExp(`^${source}$`)
}
