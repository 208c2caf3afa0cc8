import { useEffect, useRef } from 'react'
import { useSingleKeys } from './single-keys.ts'

const LAYERS = 'dialog, [role=dialog], [role=menu], [role=listbox]'

/** By key name: `/`, `j`, `Escape`, `Ctrl+k`, `Alt+ArrowUp`. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/**
 * Registers shortcuts. Inactive while the user types or a dialog is open; with single keys disabled, only
 * those with Ctrl or Alt work.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const single = useSingleKeys()
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const name = shortcutOf(event)
      const handler = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined
      if (!handler || event.defaultPrevented || event.isComposing) return
      const alone = !name.includes('+') && name !== 'Escape'
      if (alone && (!single || isTyping(event))) return
      if (name === 'Escape' && isElsewhere(event)) return
      if (document.querySelector('dialog')) return
      event.preventDefault()
      handler(event)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [single])
}

/**
 * Whether Escape is already used: by a field, which loses the focus and keeps its text, or by a layer. A
 * closed layer is already removed from the page, but still in the event path.
 */
function isElsewhere(event: KeyboardEvent): boolean {
  if (isTyping(event)) {
    ;(event.composedPath()[0] as HTMLElement).blur()
    return true
  }
  return event.composedPath().some((each) => each instanceof Element && each.matches(LAYERS))
}

/** Name of a key combination. Command counts as Ctrl. */
export function shortcutOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string {
  const held = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}`
  return held + (event.key.length === 1 && held ? event.key.toLowerCase() : event.key)
}

function isTyping(event: KeyboardEvent): boolean {
  // In a shadow root, `event.target` is the host; the composed path contains the original target.
  const from = event.composedPath()[0]
  return from instanceof HTMLElement && (from.isContentEditable || from.matches('input, textarea, select'))
}
