import { useSyncExternalStore } from 'react'

let last = { text: '', count: 0 }
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Announces a text to screen readers, politely. For what the page shows without moving the focus. */
export function announce(text: string): void {
  last = { text, count: last.count + 1 }
  for (const listener of listeners) listener()
}

/** The live region of `announce`. The root renders it once. */
export function Announcer() {
  const { text, count } = useSyncExternalStore(subscribe, () => last)
  return (
    <div className="pn-hidden" aria-live="polite">
      {/* A new element, because the same text again would change nothing. */}
      <span key={count}>{text}</span>
    </div>
  )
}
