import { useEffect, useRef } from 'react'
import { useSingleKeys } from './single-keys.ts'

const LAYERS = '[role=dialog], [role=menu], [role=listbox]'

/** By the key's name: `/`, `j`, `Escape`, `Ctrl+k`, `Alt+ArrowUp`. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Keys of the page. Never while somebody types, or while a dialog is open; without single keys only those with Ctrl or Alt. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const single = useSingleKeys()
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
      if (name === 'Escape' && isElsewhere(event)) return
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
      event.preventDefault()
      deed(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [single])
}

/** What it closed itself is gone by now, but stands in the path; a field keeps what is typed in it, and is left. */
function isElsewhere(event: KeyboardEvent): boolean {
  if (isTyping(event)) {
    ;(event.composedPath()[0] as HTMLElement).blur()
    return true
  }
  return event.composedPath().some((each) => each instanceof Element && each.matches(LAYERS))
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
