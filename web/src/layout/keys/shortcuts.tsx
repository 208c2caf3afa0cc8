import { useLocation } from 'react-router'
import { setPreference } from '../../state/preferences.ts'
import { useText } from '../../text/catalogue.ts'
import type { FrameWords } from '../../text/en/frame.ts'
import { frameCatalogue } from '../../text/frame.ts'
import { useSingleKeys } from '../../ui/keys/single-keys.ts'
import { ShortcutHelp } from '../../ui/keys/shortcut-help.tsx'

type Group = keyof FrameWords['keys']

/** The keys of this page first, then those of all. */
const GROUPS: readonly (readonly [begins: string, group: Group])[] = [
  ['/challenges', 'challenges'],
  ['/scores', 'scores'],
  ['/admin', 'organisers'],
]

/** What the keys do, on this page and elsewhere. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const text = useText(frameCatalogue)
  const { pathname } = useLocation()
  const here = GROUPS.filter(([begins]) => pathname.startsWith(begins))
  const elsewhere = GROUPS.filter((group) => !here.includes(group))
  const groups = [...here.map(([, group]) => group), 'all' as const, ...elsewhere.map(([, group]) => group)]
  return (
    <ShortcutHelp
      open
      onClose={onClose}
      groups={groups.map((group) => ({
        name: text.keys[group].name,
        keys: text.keys[group].list.map(([keys, does]) => ({ keys, does })),
      }))}
      singleKeys={useSingleKeys()}
      onSingleKeys={(on) => setPreference('shortcuts', on ? undefined : false)}
    />
  )
}
