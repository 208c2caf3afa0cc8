import { adjustmentKind } from '../features/contest/adjustments/kind.ts'
import { hintKind } from '../features/contest/hints/kind.ts'
import type { Kind } from '../features/contest/kinds/kind.ts'
import { announcementKind } from '../features/news/announcements/kind.ts'
import { waveKind } from '../features/news/waves/kind.ts'
import type { AnyRowKind } from '../world/row-kind.ts'

/** The kinds of rows that are values: docs/decisions/0044-declare-kinds-of-rows-as-values.md */
export const featureKinds: readonly Kind[] = [announcementKind, waveKind, hintKind, adjustmentKind]

/** What each process follows. */
export function rowKindsOf(kinds: readonly Kind[]): AnyRowKind[] {
  return kinds.flatMap(({ rows }) => rows)
}
