import type { ReactNode } from 'react'

export interface Toast {
  readonly id: number
  readonly text: string
  /** `blood`: the first solve of a challenge. */
  readonly tone: 'info' | 'ok' | 'bad' | 'blood'
  /** Above and below the text. */
  readonly title?: string | undefined
  readonly note?: ReactNode
  /** How often the same message was shown. */
  readonly count: number
}

export interface ToastList {
  /** For events that happen away from the user's current action. Repeated messages are counted. */
  show(text: string, tone?: Toast['tone'], around?: Pick<Toast, 'title' | 'note'>): void
  dismiss(id: number): void
  /** While held (pointer or focus on the toasts), none expires. */
  hold(held: boolean): void
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => readonly Toast[]
}

const MAX_SHOWN = 3
const SHOWN_MS = 6000

/** The toasts of a page: at most three, for six seconds each; errors stay until dismissed. */
export function createToasts(): ToastList {
  let toasts: readonly Toast[] = []
  let lastId = 0
  let held = false
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()

  const set = (next: readonly Toast[]) => {
    toasts = next.slice(-MAX_SHOWN)
    for (const [id, timer] of timers) {
      if (toasts.some((toast) => toast.id === id)) continue
      clearTimeout(timer)
      timers.delete(id)
    }
    for (const listener of listeners) listener()
  }
  const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id))
  const time = ({ id, tone }: Toast) => {
    clearTimeout(timers.get(id))
    if (tone !== 'bad' && !held)
      timers.set(
        id,
        setTimeout(() => dismiss(id), SHOWN_MS),
      )
  }
  return {
    show(text, tone = 'info', around = {}) {
      const equal = toasts.find((toast) => toast.text === text && toast.tone === tone)
      const toast = { id: equal?.id ?? (lastId += 1), text, tone, count: (equal?.count ?? 0) + 1, ...around }
      set([...toasts.filter(({ id }) => id !== toast.id), toast])
      time(toast)
    },
    dismiss,
    hold(now) {
      if (held === now) return
      held = now
      if (!held) return toasts.forEach(time)
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => toasts,
  }
}
