import type { AdminHint, Hint } from '@pennant/contract/hints.ts'
import type { z } from 'zod'
import type { HintRow } from './rows.ts'
import { releaseOf } from './rules.ts'

/** `paid`: what the team paid for it; undefined if it has not bought it. */
export function hintView({ id, price, text }: HintRow, paid: number | undefined): z.input<typeof Hint> {
  const bought = paid !== undefined
  return { id, price: paid ?? price, bought, text: bought || price === 0 ? text : null }
}

export function adminHintView(
  row: HintRow,
  { releaseAt, purchases }: { readonly releaseAt: number | null; readonly purchases: number },
): z.input<typeof AdminHint> {
  const { id, challengeId, text, price, version } = row
  return { id, challengeId, text, price, release: releaseOf(row), releaseAt, purchases, version }
}
