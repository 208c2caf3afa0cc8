interface Page {
  readonly name: string
  readonly path: string
}

/** Returns the pages whose name or URL contains every word; all pages for an empty search. */
export function pagesLike<P extends Page>(pages: readonly P[], typed: string): P[] {
  const parts = typed.toLowerCase().split(/[\s/]+/)
  return pages.filter(({ name, path }) =>
    parts.every((part) => `${name} ${path}`.toLowerCase().includes(part)),
  )
}
