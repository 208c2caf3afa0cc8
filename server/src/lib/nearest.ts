/** The candidate that a misspelt word most likely meant, or null when none is near. */
export function findNearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  // A third of the letters may be wrong: more would suggest words that nobody meant.
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** `; did you mean x?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const nearest = findNearest(word, candidates)
  return nearest === null ? '' : `; did you mean ${nearest}?`
}

/** Levenshtein: letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
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
