import { useSyncExternalStore } from 'react'

/** Whether the page is written from right to left. For drawings that CSS cannot mirror: digits would turn over. */
export function useIsMirrored(): boolean {
  return useSyncExternalStore(subscribe, isMirrored, () => false)
}

const isMirrored = () => document.documentElement.dir === 'rtl'

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['dir'] })
  return () => observer.disconnect()
}
