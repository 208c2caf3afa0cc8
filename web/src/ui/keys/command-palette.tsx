import { useId, useState, type KeyboardEvent } from 'react'
import { TextInput } from '../fields/inputs.tsx'
import { Dialog } from '../layers/dialog.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { findEntries, type PaletteEntry } from './find-entries.ts'
import styles from './keys.module.css'

interface CommandPaletteProps {
  readonly open: boolean
  readonly onClose: () => void
  /** The action of an entry closes the palette itself, after its navigation. */
  readonly entries: readonly PaletteEntry[]
  /** Called while typing, to search for entries on the server. */
  readonly onType?: (text: string) => void
}

/** Opens a page, a challenge or a team by typing part of its name. */
export function CommandPalette({ open, onClose, ...search }: CommandPaletteProps) {
  const messages = useUiMessages()
  return (
    <Dialog open={open} onClose={onClose} title={messages.palette} size="medium">
      {open && <Search {...search} />}
    </Dialog>
  )
}

function Search({ entries, onType }: Omit<CommandPaletteProps, 'open' | 'onClose'>) {
  const messages = useUiMessages()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = findEntries(entries, typed)
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      const next = Math.min(Math.max(at + step, 0), Math.max(found.length - 1, 0))
      setAt(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') found[at]?.onChoose()
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        label={messages.paletteHelp}
        value={typed}
        autoComplete="off"
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
        onKeyDown={handleKey}
        onChange={(text) => {
          setTyped(text)
          onType?.(text)
          setAt(0)
        }}
      />
      <ul id={id} role="listbox" aria-label={messages.palette} className={styles.entries}>
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.entry}
            onClick={entry.onChoose}
          >
            <bdi>{entry.name}</bdi>
            <span className={styles.kind}>{entry.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">{messages.noMatches}</p>}
    </>
  )
}
