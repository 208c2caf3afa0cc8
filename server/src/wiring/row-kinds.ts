import { adjustmentRows } from '../features/contest/adjustments/rows.ts'
import { hintRows, purchaseRows } from '../features/contest/hints/rows.ts'
import { announcementRows } from '../features/news/announcements/rows.ts'
import { waveRows } from '../features/news/waves/rows.ts'
import type { AnyRowKind } from '../world/row-kind.ts'

/** The kinds of rows that are values. Each process follows all of them. */
export const rowKinds: readonly AnyRowKind[] = [
  announcementRows,
  waveRows,
  hintRows,
  purchaseRows,
  adjustmentRows,
]
