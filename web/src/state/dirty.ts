/** Forms that hold what is not saved. A reload by itself must not lose it. */
const dirty = new Set<string>()

/** Returns what takes it back. */
export function markDirty(id: string): () => void {
  dirty.add(id)
  return () => dirty.delete(id)
}

export function isAnythingDirty(): boolean {
  return dirty.size > 0
}
