import { useSyncExternalStore } from 'react'

const CONTRAST = '(prefers-contrast: more)'
const DARK = '(prefers-color-scheme: dark)'

/** Returns a key that changes with the colours, for canvas drawings that CSS does not restyle. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, read)
}

function subscribe(listener: () => void) {
  const queries = [CONTRAST, DARK].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', listener)
  const root = new MutationObserver(listener)
  root.observe(document.documentElement, { attributeFilter: ['data-theme', 'class'] })
  return () => {
    root.disconnect()
    for (const query of queries) query.removeEventListener('change', listener)
  }
}

function read() {
  const scheme = document.documentElement.dataset.theme ?? ''
  return [scheme, matchMedia(DARK).matches, matchMedia(CONTRAST).matches].join(' ')
}
