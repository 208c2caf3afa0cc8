interface Node {
  readonly id: string
  readonly prerequisites?: readonly string[] | undefined
}

/** The challenge and all that require it, directly or not: as its prerequisites, they would be a cycle. */
export function requiring(id: string, challenges: readonly Node[]): ReadonlySet<string> {
  const found = new Set([id])
  // A set visits what is added meanwhile.
  for (const each of found)
    for (const { id: other, prerequisites } of challenges) if (prerequisites?.includes(each)) found.add(other)
  return found
}
