import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useMay } from '../../../api/use-contest.ts'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { paths } from '../../../paths.ts'
import { useTimed } from '../../../state/clock.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { frameMessages } from '../../../text/en/frame.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { Select, TextInput } from '../../../ui/fields/inputs.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import type { AdminChallenge } from '../draft.ts'
import { ExportButton } from '../import/export-button.tsx'
import { allChallengesQuery } from '../queries.ts'
import { treeOf } from '../state-of.ts'
import { TreeBulk } from './tree-bulk.tsx'
import { TreeCategory } from './tree-category.tsx'
import styles from './tree.module.css'
import { useMoves } from './use-moves.ts'

const ImportDialog = lazy(async () => ({
  default: (await import('../import/import-dialog.tsx')).ImportDialog,
}))

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
  const [filter, setFilter] = useState<Filter>({ search: '', state: 'all' })
  return (
    <>
      <div className={styles.make}>
        {mayWrite && (
          <>
            <Link className={styles.new} to={paths.newChallenge()} onClick={props.onChosen}>
              {text.new}
            </Link>
            <ImportButton />
          </>
        )}
        {query.data && <ExportButton challenges={query.data} filter={isWhole(filter) ? null : filter} />}
      </div>
      {query.data ? (
        <Grouped
          {...props}
          challenges={query.data}
          mayWrite={mayWrite}
          filter={filter}
          onFilter={setFilter}
        />
      ) : (
        <Waiting query={query} rows={10} />
      )}
    </>
  )
}

function ImportButton() {
  const text = useMessages(adminChallengesMessages)
  // The dialog stays when it is closed, because it returns the focus.
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused')
  return (
    <>
      <IconButton icon="upload" label={text.import} tone="plain" onClick={() => setState('open')} />
      <Suspense>
        {state !== 'unused' && <ImportDialog open={state === 'open'} onClose={() => setState('closed')} />}
      </Suspense>
    </>
  )
}

interface Filter {
  readonly search: string
  readonly state: string
}

function isWhole({ search, state }: Filter): boolean {
  return search.trim() === '' && state === 'all'
}

interface GroupedProps extends TreeProps {
  readonly challenges: readonly AdminChallenge[]
  readonly mayWrite: boolean
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

function Grouped({ challenges, mayWrite, filter, onFilter, ...tree }: GroupedProps) {
  const text = useMessages(adminChallengesMessages)
  const frame = useMessages(frameMessages)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const now = useTimed((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const moves = useMoves()
  if (challenges.length === 0) {
    const first = mayWrite ? (
      <Link to={paths.newChallenge()}>{text.new}</Link>
    ) : (
      <Link to={paths.dashboard()}>{frame.organiser.dashboard}</Link>
    )
    return <EmptyState action={first}>{text.noChallenges}</EmptyState>
  }
  const categories = treeOf(challenges, { ...filter, now })
  return (
    <>
      <div className={styles.tools}>
        <TextInput
          type="search"
          label={text.search}
          placeholder={text.search}
          maxLength={100}
          value={filter.search}
          onChange={(search) => onFilter({ ...filter, search })}
        />
        <Select
          label={text.show}
          value={filter.state}
          onChange={(state) => onFilter({ ...filter, state })}
          choices={SHOWS.map((value) => ({ value, label: text.shows[value] }))}
        />
      </div>
      {categories.length === 0 && (
        <EmptyState
          action={<Button onClick={() => onFilter({ search: '', state: 'all' })}>{text.clearFilters}</Button>}
        >
          {text.noMatch}
        </EmptyState>
      )}
      <nav aria-label={text.allChallenges}>
        {categories.map((category) => (
          <TreeCategory
            key={category.name}
            category={category}
            current={tree.current}
            now={now}
            selected={mayWrite ? selected : null}
            onSelect={setSelected}
            // In a filtered list, the visible index is not the real one.
            onMove={mayWrite && isWhole(filter) ? moves.move : null}
            onChosen={tree.onChosen}
          />
        ))}
      </nav>
      <p role="status" className={styles.moved}>
        {moves.failure ?? (moves.last && text.moved(moves.last))}
        {moves.last && !moves.failure && (
          <Button tone="quiet" onClick={() => void moves.undo()}>
            {text.undo}
          </Button>
        )}
      </p>
      <TreeBulk
        chosen={challenges.filter(({ id }) => selected.has(id))}
        onClear={() => setSelected(new Set())}
      />
    </>
  )
}
