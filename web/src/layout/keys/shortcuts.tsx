import { useLocation } from 'react-router'
import { setPreference } from '../../state/preferences.ts'
import { keysMessages, type KeysMessages } from '../../text/en/keys.ts'
import { useMessages } from '../../text/messages.ts'
import { useSingleKeys } from '../../ui/keys/single-keys.ts'
import { ShortcutHelp } from '../../ui/keys/shortcut-help.tsx'

type Group = keyof KeysMessages

/** The shortcuts of this page first, then those of every page. */
const GROUPS: readonly (readonly [begins: string, group: Group])[] = [
  ['/challenges', 'challenges'],
  ['/scores', 'scores'],
  ['/admin', 'organisers'],
]

/** Help for the keyboard shortcuts of this page and the site. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const text = useMessages(keysMessages)
  const { pathname } = useLocation()
  const here = GROUPS.filter(([begins]) => pathname.startsWith(begins))
  const elsewhere = GROUPS.filter((group) => !here.includes(group))
  const groups = [...here.map(([, group]) => group), 'all' as const, ...elsewhere.map(([, group]) => group)]
  return (
    <ShortcutHelp
      open
      onClose={onClose}
      groups={groups.map((group) => ({
        name: text[group].name,
        keys: text[group].list.map(([keys, does]) => ({ keys, does })),
      }))}
      singleKeys={useSingleKeys()}
      onSingleKeys={(on) => setPreference('shortcuts', on ? undefined : false)}
    />
  )
}
