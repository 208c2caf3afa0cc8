/** Forms with unsaved changes, which an automatic reload must not lose. */
const dirty = new Set<string>()

/** Returns a function that removes the mark. */
export function markDirty(id: string): () => void {
  dirty.add(id)
  return () => dirty.delete(id)
}

export function isAnythingDirty(): boolean {
  return dirty.size > 0
}
