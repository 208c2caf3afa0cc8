import { useLocation } from 'react-router'
import { setPreference } from '../../state/preferences.ts'
import { keysMessages, type KeysMessages } from '../../text/en/keys.ts'
import { useMessages } from '../../text/messages.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import styles from '../../ui/keys/keys.module.css'
import { useSingleKeys } from '../../ui/keys/single-keys.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useUiMessages } from '../../ui/ui-messages.ts'

type Group = keyof KeysMessages

/** The shortcuts of this page first, then those of every page. */
const GROUPS: readonly (readonly [begins: string, group: Group])[] = [
  ['/challenges', 'challenges'],
  ['/scores', 'scores'],
  ['/admin', 'organisers'],
]

/** Help for the keyboard shortcuts of this page and the site, and a switch to disable single-key shortcuts. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const text = useMessages(keysMessages)
  const messages = useUiMessages()
  const { pathname } = useLocation()
  const here = GROUPS.filter(([begins]) => pathname.startsWith(begins))
  const elsewhere = GROUPS.filter((group) => !here.includes(group))
  const groups = [...here.map(([, group]) => group), 'all' as const, ...elsewhere.map(([, group]) => group)]
  return (
    <Dialog open onClose={onClose} title={messages.shortcuts} size="medium">
      <Switch
        label={messages.singleKeys}
        checked={useSingleKeys()}
        onChange={(on) => setPreference('shortcuts', on ? undefined : false)}
      />
      {groups.map((group) => (
        <section key={group} aria-label={text[group].name}>
          <h3 className={styles.group}>{text[group].name}</h3>
          <dl className={styles.keys}>
            {text[group].list.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
