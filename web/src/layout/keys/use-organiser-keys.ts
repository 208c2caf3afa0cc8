import { useEffect } from 'react'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'

/** Keys that every organiser page has: `/` searches, j and k go to the rows of its table, Ctrl+S saves its form. */
export function useOrganiserKeys(): void {
  useShortcuts({
    '/': () => find('main input[type="search"]')?.focus(),
    // From anywhere: inside the table they are its own.
    j: () => find('main table tr[tabindex]')?.focus(),
    k: () => Array.from(document.querySelectorAll<HTMLElement>('main table tr[tabindex]')).at(-1)?.focus(),
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey
      // Last of all: a page that saves in its own way has done so by then.
      if (isSave) window.addEventListener('keydown', saveUnlessSaved, { once: true })
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}

/** Sends the form in which somebody is, else the first of the sheet that is open or of the page. */
function saveUnlessSaved(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  event.preventDefault()
  const place = find('[role="dialog"][aria-modal="true"]') ?? find('main')
  const form = document.activeElement?.closest('form') ?? place?.querySelector('form')
  if (form?.querySelector('[type="submit"]:not([aria-disabled="true"])')) form.requestSubmit()
}

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}
