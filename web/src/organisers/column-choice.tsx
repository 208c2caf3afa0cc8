import { useState } from 'react'
import { readStored, writeStored } from '../state/storage.ts'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import type { Column } from '../ui/data/data-table.tsx'
import { Switch } from '../ui/fields/choices.tsx'
import { Popover } from '../ui/layers/floats.tsx'
import { useMedia } from '../ui/use-media.ts'

/**
 * Lets the user choose the columns of a list. The first column names the row and cannot be hidden.
 * @param list identifies the choice in browser storage.
 */
export function useColumnChoice<Row>(list: string, columns: readonly Column<Row>[]) {
  const text = useMessages(organiserListMessages)
  const key = `pennant.columns.${list}`
  // Below this range, rows are cards, which have room for all columns.
  const isNarrow = useMedia('(768px <= width < 1200px)')
  const [stored, setStored] = useState(() => readStored(key))
  const atFirst = columns.flatMap(({ id, spare }) => (isNarrow && spare ? id : []))
  const left = new Set(stored === null ? atFirst : stored.split(','))
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    // Empty if the user chose to show all columns.
    const names = [...next].join(',')
    setStored(names)
    writeStored(key, names)
  }
  const chooser = (
    <Popover
      label={text.columns}
      target={
        <Button tone="quiet" icon="more">
          {text.columns}
        </Button>
      }
    >
      {() => (
        <div className="pn-grid pn-gap-2">
          {columns.slice(1).map(({ id, head }) => (
            <Switch
              key={id}
              kind="checkbox"
              label={head}
              checked={!left.has(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </div>
      )}
    </Popover>
  )
  return { shown: columns.filter(({ id }, at) => at === 0 || !left.has(id)), chooser }
}
