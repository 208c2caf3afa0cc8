import { usePreferences } from '../../state/preferences.ts'
import { useMedia } from '../../ui/use-media.ts'

const MATRIX_PX = 36
const COMPACT_PX = 36
const USUAL_PX = 44
/** Two lines. */
const PHONE_PX = 60

/** Pixels of one row of the board, the same for all. */
export function useRowHeight(isMatrix: boolean): number {
  const isPhone = useMedia('(max-width: 767px)')
  const isFine = useMedia('(min-width: 1024px) and (pointer: fine)')
  const { density } = usePreferences()
  if (isMatrix) return MATRIX_PX
  if (isPhone) return PHONE_PX
  return density === 'compact' && isFine ? COMPACT_PX : USUAL_PX
}
