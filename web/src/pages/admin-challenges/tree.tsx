import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useMay } from '../../api/use-contest.ts'
import { Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useTimed } from '../../state/clock.ts'
import { adminChallengesMessages } from '../../text/en/admin-challenges.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import shared from './challenges.module.css'
import type { AdminChallenge } from './draft.ts'
import { ImportDialog } from './import/import-dialog.tsx'
import { allChallengesQuery } from './queries.ts'
import { treeOf } from './state-of.ts'
import { TreeBulk } from './tree-bulk.tsx'
import { TreeCategory } from './tree-category.tsx'
import styles from './tree.module.css'
import { useMoves } from './use-moves.ts'

const SHOWS = ['all', 'visible', 'hidden', 'scheduled', 'draft'] as const

interface TreeProps {
  readonly current: string | undefined
  /** Called after a challenge was opened. */
  readonly onChosen?: () => void
}

/** All challenges by category, with search, reordering and bulk actions (show, hide, schedule). */
export function Tree(props: TreeProps) {
  const text = useMessages(adminChallengesMessages)
  const query = useQuery(allChallengesQuery)
  const mayWrite = useMay('challsRead', 'challsWrite')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      {mayWrite && (
        <div className={shared.line}>
          <Link className={styles.new} to={paths.newChallenge()} onClick={props.onChosen}>
            {text.new}
          </Link>
          <Button icon="upload" onClick={() => setImporting(true)}>
            {text.import}
          </Button>
          <ImportDialog open={isImporting} onClose={() => setImporting(false)} />
        </div>
      )}
      {query.data ? (
        <Grouped {...props} challenges={query.data} mayWrite={mayWrite} />
      ) : (
        <Waiting query={query} rows={10} />
      )}
    </>
  )
}

interface GroupedProps extends TreeProps {
  readonly challenges: readonly AdminChallenge[]
  readonly mayWrite: boolean
}

function Grouped({ challenges, mayWrite, current, onChosen }: GroupedProps) {
  const text = useMessages(adminChallengesMessages)
  const [search, setSearch] = useState('')
  const [state, setState] = useState('all')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const moves = useMoves()
  if (challenges.length === 0) return <EmptyState>{text.none}</EmptyState>
  const categories = treeOf(challenges, { search, state, now })
  const isWhole = search.trim() === '' && state === 'all'
  return (
    <>
      <TextInput type="search" label={text.search} maxLength={100} value={search} onChange={setSearch} />
      <Select
        label={text.show}
        value={state}
        onChange={setState}
        choices={SHOWS.map((value) => ({ value, label: text.shows[value] }))}
      />
      <p role="status" className={styles.moved}>
        {moves.failure ?? (moves.last && text.moved(moves.last))}
        {moves.last && !moves.failure && (
          <Button tone="quiet" onClick={() => void moves.undo()}>
            {text.undo}
          </Button>
        )}
      </p>
      {categories.length === 0 && <EmptyState>{text.noMatch}</EmptyState>}
      <nav aria-label={text.tree}>
        {categories.map((category) => (
          <TreeCategory
            key={category.name}
            category={category}
            current={current}
            now={now}
            selected={mayWrite ? selected : null}
            onSelect={setSelected}
            // In a filtered list, the visible index is not the real one.
            onMove={mayWrite && isWhole ? moves.move : null}
            onChosen={onChosen}
          />
        ))}
      </nav>
      <TreeBulk
        chosen={challenges.filter(({ id }) => selected.has(id))}
        onClear={() => setSelected(new Set())}
      />
    </>
  )
}
