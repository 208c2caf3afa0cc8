export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** More cells of the table than this would block the page; the texts are then shown whole. */
const MAX_CELLS = 4_000_000

/** The lines of two texts, by their longest common subsequence. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, next] = [before.split('\n'), after.split('\n')]
  const width = next.length + 1
  const whole = (lines: readonly string[], kind: DiffLine['kind']) => lines.map((text) => ({ kind, text }))
  if ((old.length + 1) * width > MAX_CELLS) return [...whole(old, 'removed'), ...whole(next, 'added')]
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = next.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === next[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < next.length) {
    const [left, right] = [old[row], next[column]]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      row += 1
      column += 1
    } else if (right === undefined || (left !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: left ?? '' })
      row += 1
    } else {
      lines.push({ kind: 'added', text: right })
      column += 1
    }
  }
  return lines
}
