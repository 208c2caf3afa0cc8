import { useEffect, useRef } from 'react'

/** By the key's name: `/`, `j`, `Escape`, `Ctrl+k`, `Alt+ArrowUp`. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Keys of the page. Never while somebody types, or while a dialog is open; with `single` off only those with Ctrl or Alt. */
export function useShortcuts(shortcuts: Shortcuts, single = true): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const name = shortcutOf(event)
      const deed = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined
      if (!deed || event.defaultPrevented || event.isComposing) return
      const alone = !name.includes('+') && name !== 'Escape'
      if (alone && (!single || isTyping(event))) return
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
      event.preventDefault()
      deed(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [single])
}

/** The name of what is pressed. Command counts as Ctrl. */
export function shortcutOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const held = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}`
  return held + (event.key.length === 1 && held ? event.key.toLowerCase() : event.key)
}

function isTyping(event: KeyboardEvent): boolean {
  // Inside a shadow root the event's target is the host: the path tells where it began.
  const from = event.composedPath()[0]
  return from instanceof HTMLElement && (from.isContentEditable || from.matches('input, textarea, select'))
}
