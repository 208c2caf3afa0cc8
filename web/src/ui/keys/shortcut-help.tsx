import { Switch } from '../fields/choices.tsx'
import { Dialog } from '../layers/dialog.tsx'
import { useUiMessages } from '../ui-messages.ts'
import styles from './keys.module.css'

export interface ShortcutGroup {
  readonly name: string
  readonly keys: readonly { readonly keys: string; readonly does: string }[]
}

interface ShortcutHelpProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly groups: readonly ShortcutGroup[]
  /** Whether shortcuts without Ctrl or Alt are enabled. */
  readonly singleKeys: boolean
  readonly onSingleKeys: (on: boolean) => void
}

/** The list of shortcuts, and a switch to disable single-key shortcuts. */
export function ShortcutHelp({ open, onClose, groups, singleKeys, onSingleKeys }: ShortcutHelpProps) {
  const messages = useUiMessages()
  return (
    <Dialog open={open} onClose={onClose} title={messages.shortcuts} size="medium">
      <Switch label={messages.singleKeys} checked={singleKeys} onChange={onSingleKeys} />
      {groups.map(({ name, keys }) => (
        <section key={name} aria-label={name}>
          <h3 className={styles.group}>{name}</h3>
          <dl className={styles.keys}>
            {keys.map((each) => (
              <div key={each.keys}>
                <dt>
                  <kbd>{each.keys}</kbd>
                </dt>
                <dd>{each.does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
