import { Switch } from '../fields/choices.tsx'
import { Dialog } from '../layers/dialog.tsx'
import { useWords } from '../words.ts'
import styles from './keys.module.css'

export interface ShortcutGroup {
  readonly name: string
  readonly keys: readonly { readonly keys: string; readonly does: string }[]
}

interface ShortcutHelpProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly groups: readonly ShortcutGroup[]
  /** Whether keys without Ctrl or Alt work. */
  readonly singleKeys: boolean
  readonly onSingleKeys: (on: boolean) => void
}

/** What the keys do here, and the switch that turns single keys off. */
export function ShortcutHelp({ open, onClose, groups, singleKeys, onSingleKeys }: ShortcutHelpProps) {
  const words = useWords()
  return (
    <Dialog open={open} onClose={onClose} title={words.shortcuts} size="medium">
      <Switch label={words.singleKeys} checked={singleKeys} onChange={onSingleKeys} />
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
