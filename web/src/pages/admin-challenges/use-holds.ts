import { useCallback, useState } from 'react'
import type { DraftField } from './draft.ts'

type Counts = Partial<Readonly<Record<DraftField, number>>>

/** What no draft can hold and would be lost all the same: JSON that is none yet, and files under way. */
export function useHolds() {
  const [counts, setCounts] = useState<Counts>({})
  const [isSending, setSending] = useState(false)
  const count = useCallback(
    (field: DraftField, by: 1 | -1) =>
      setCounts((old) => ({ ...old, [field]: Math.max(0, (old[field] ?? 0) + by) })),
    [],
  )
  const broken = Object.entries(counts).flatMap(([field, times]) => (times > 0 ? [field as DraftField] : []))
  return { broken, isSending, setSending, count }
}
