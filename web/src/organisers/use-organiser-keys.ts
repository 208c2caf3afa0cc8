import { useEffect } from 'react'
import { useShortcuts } from '../ui/keys/use-shortcuts.ts'

/**
 * Shortcuts of every organiser page: `/` focuses the search, j and k the table rows, Ctrl+S saves the form.
 */
export function useOrganiserKeys(): void {
  useShortcuts({
    '/': () => find('main input[type="search"]')?.focus(),
    // From anywhere else: the table handles these keys itself.
    j: () => find('main table tr[tabindex]')?.focus(),
    k: () => Array.from(document.querySelectorAll<HTMLElement>('main table tr[tabindex]')).at(-1)?.focus(),
  })
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey
      // Runs last, so that a page that saves in its own way has already done so.
      if (isSave) window.addEventListener('keydown', saveUnlessSaved, { once: true })
    }
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  }, [])
}

/** Submits the focused form, else the first one of the open sheet or of the page. */
function saveUnlessSaved(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  event.preventDefault()
  const place = find('dialog') ?? find('main')
  const form = document.activeElement?.closest('form') ?? place?.querySelector('form')
  if (form?.querySelector('[type="submit"]:not([aria-disabled="true"])')) form.requestSubmit()
}

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}
