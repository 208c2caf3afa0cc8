export interface ChangedLines {
  /** Lines at the beginning and at the end that both texts have. */
  readonly same: readonly [before: number, after: number]
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** The lines in which two texts differ, without those that both have at the beginning and at the end. */
export function changedLines(before: string, after: string): ChangedLines {
  const [old, next] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, next.length)
  let start = 0
  while (start < most && old[start] === next[start]) start++
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end++
  return {
    same: [start, end],
    removed: old.slice(start, old.length - end),
    added: next.slice(start, next.length - end),
  }
}
