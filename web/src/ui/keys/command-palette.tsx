import { useId, useState, type KeyboardEvent } from 'react'
import { TextInput } from '../fields/inputs.tsx'
import { Dialog } from '../layers/dialog.tsx'
import { useWords } from '../words.ts'
import { findEntries, type PaletteEntry } from './find-entries.ts'
import styles from './keys.module.css'

interface CommandPaletteProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly entries: readonly PaletteEntry[]
}

/** Goes to a page, a challenge or a team by typing parts of its name. */
export function CommandPalette({ open, onClose, entries }: CommandPaletteProps) {
  const words = useWords()
  return (
    <Dialog open={open} onClose={onClose} title={words.palette} size="medium">
      {open && <Search entries={entries} onClose={onClose} />}
    </Dialog>
  )
}

function Search({ entries, onClose }: Pick<CommandPaletteProps, 'entries' | 'onClose'>) {
  const words = useWords()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = findEntries(entries, typed)
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    onClose()
    entry.onChoose()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt(Math.min(Math.max(at + step, 0), Math.max(found.length - 1, 0)))
    else if (event.key === 'Enter') choose(found[at])
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        label={words.paletteHint}
        value={typed}
        autoComplete="off"
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
        onKeyDown={press}
        onChange={(text) => {
          setTyped(text)
          setAt(0)
        }}
      />
      <ul id={id} role="listbox" aria-label={words.palette} className={styles.entries}>
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.entry}
            onClick={() => choose(entry)}
          >
            <bdi>{entry.name}</bdi>
            <span className={styles.kind}>{entry.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">{words.noChoice}</p>}
    </>
  )
}
