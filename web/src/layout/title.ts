import { useEffect } from 'react'
import { useConfig } from '../api/use-contest.ts'
import { createStore, useStore } from '../state/store.ts'

const PRODUCT = 'Pennant'

/** Prefixes by who set them, newest last; the newest is shown. */
const prefixes = createStore<readonly (readonly [id: string, text: string])[]>([])

/** Names the page in the browser's title: `<title> · <event>`. Null: the event's name alone. */
export function usePageTitle(title: string | null): void {
  const event = useConfig()?.ctfName ?? PRODUCT
  const prefix = useStore(prefixes).at(-1)?.[1]
  useEffect(() => {
    const named = title === null ? event : `${title} · ${event}`
    document.title = prefix === undefined ? named : `${prefix} ${named}`
  }, [title, event, prefix])
}

/** Sets or takes back what stands before the title while it matters in a row of tabs. */
export function setTitlePrefix(id: string, text: string | null): void {
  const rest = prefixes.read().filter(([owner]) => owner !== id)
  const same = prefixes.read().find(([owner]) => owner === id)?.[1] === (text ?? undefined)
  if (!same) prefixes.set(text === null ? rest : [...rest, [id, text]])
}
