interface Page {
  readonly name: string
  readonly path: string
}

/** Pages in whose name or address every word occurs; all of them for none. */
export function pagesLike<P extends Page>(pages: readonly P[], typed: string): P[] {
  const parts = typed.toLowerCase().split(/[\s/]+/)
  return pages.filter(({ name, path }) =>
    parts.every((part) => `${name} ${path}`.toLowerCase().includes(part)),
  )
}
