/** Ends a wait early. A wake-up while no one waits ends the next wait at once. */
export interface WakeSignal {
  wake(): void
  /** Resolves after `ms` at the latest. */
  wait(ms: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let isPending = false
  let resolveWait: (() => void) | null = null
  return {
    wake() {
      isPending = true
      resolveWait?.()
    },
    async wait(ms) {
      if (!isPending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resolveWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      resolveWait = null
      isPending = false
    },
  }
}
