import { useEffect } from 'react'
import { useConfig } from '../api/use-contest.ts'
import { createStore, useStore } from '../state/store.ts'

const PRODUCT = 'Pennant'

/** Prefixes by owner, newest last; the newest is shown. */
const prefixes = createStore<readonly (readonly [id: string, text: string])[]>([])

/** Sets the document title: `<title> · <event>`. Null: the event's name alone. */
export function usePageTitle(title: string | null): void {
  const event = useConfig()?.ctfName ?? PRODUCT
  const prefix = useStore(prefixes).at(-1)?.[1]
  useEffect(() => {
    const named = title === null ? event : `${title} · ${event}`
    document.title = prefix === undefined ? named : `${prefix} ${named}`
  }, [title, event, prefix])
}

/** Sets or removes a prefix of the document title, which is visible in a row of tabs. */
export function setTitlePrefix(id: string, text: string | null): void {
  const rest = prefixes.read().filter(([owner]) => owner !== id)
  const same = prefixes.read().find(([owner]) => owner === id)?.[1] === (text ?? undefined)
  if (!same) prefixes.set(text === null ? rest : [...rest, [id, text]])
}
