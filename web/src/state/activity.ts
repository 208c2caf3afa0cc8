import { MINUTE_MS } from '@pennant/contract/durations.ts'

/** Without input for this long, a visible tab is taken for one that no one uses. */
const IDLE_AFTER_MS = MINUTE_MS

let lastInputAt = Date.now()

const note = () => {
  lastInputAt = Date.now()
}
for (const name of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'focus'])
  addEventListener(name, note, { passive: true, capture: true })

/** Whether the user has not moved, typed or scrolled in this tab for a minute. */
export function isIdle(): boolean {
  return Date.now() - lastInputAt >= IDLE_AFTER_MS
}
