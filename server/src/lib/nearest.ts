/** The candidate closest to a misspelt word, or null when none is close. */
export function findNearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  // At most a third of the letters may differ: more would suggest unrelated words.
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** `; did you mean x?`, or an empty string. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const nearest = findNearest(word, candidates)
  return nearest === null ? '' : `; did you mean ${nearest}?`
}

/** Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
