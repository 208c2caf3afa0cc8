/** Ends a wait early. A ring while nobody waits is kept for the next wait. */
export interface Bell {
  ring(): void
  /** Ends at the latest after this time. */
  wait(ms: number): Promise<void>
}

export function createBell(): Bell {
  let isRung = false
  let wake: (() => void) | null = null
  return {
    ring() {
      isRung = true
      wake?.()
    },
    async wait(ms) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      wake = null
      isRung = false
    },
  }
}
