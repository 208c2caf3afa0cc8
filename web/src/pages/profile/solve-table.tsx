import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { inPlace, withParams, paths } from '../../paths.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { clockText } from '../../ui/data/durations.ts'
import { Select } from '../../ui/fields/inputs.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { compareCategories } from '../../ui/marks/categories.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import styles from './profile.module.css'
import { matching, orderFromText, orderText, sorted, type Solve } from './solve-rows.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

const AssistedMark = lazy(async () => ({
  default: (await import('../../account/tracks/track-mark.tsx')).AssistedMark,
}))

/** Longer tables are virtualized, because graph and timeline already need much of the rendering budget. */
const VIRTUAL_FROM = 60
/** Shorter tables get no filter. */
const FILTER_FROM = 6

export interface SolveTableProps {
  readonly solves: readonly Solve[]
  /** Start of the event, Unix milliseconds. */
  readonly start: number
}

interface WithExtra extends SolveTableProps {
  /** One more column, of the own team. */
  readonly extra?: Column<Solve>
}

/** The solves of a team; order and filter are in the URL. */
export function SolveTable({ solves, start, extra }: WithExtra) {
  const text = useMessages(profileMessages)
  const frame = useMessages(frameMessages)
  const columns = useColumns(start)
  if (extra) columns.push(extra)
  const [search, setSearch] = useSearchParams()
  const order = orderFromText(search.get('sort'))
  const filter = { query: search.get('q') ?? '', category: search.get('cat') ?? '' }
  const change = (changes: Readonly<Record<string, string>>) =>
    setSearch((last) => withParams(last, changes), inPlace(changes))
  const isFiltered = filter.query !== '' || filter.category !== ''
  const nothing = isFiltered ? (
    <EmptyState action={<Button onClick={() => change({ q: '', cat: '' })}>{text.clearFilters}</Button>}>
      {text.noMatch}
    </EmptyState>
  ) : (
    <EmptyState action={<Link to={paths.challenges()}>{frame.challenges}</Link>}>{text.noSolves}</EmptyState>
  )
  return (
    <div className="pn-stack pn-gap-3">
      {(isFiltered || solves.length >= FILTER_FROM) && (
        <div className={styles.filter}>
          <SearchInput label={text.search} value={filter.query} onChange={(q) => change({ q })} />
          <Select
            label={text.category}
            placeholder={text.allCategories}
            value={filter.category}
            onChange={(cat) => change({ cat })}
            choices={categoriesOf(solves).map((name) => ({ value: name, label: name }))}
          />
        </div>
      )}
      <DataTable
        label={text.solves}
        columns={columns}
        rows={sorted(matching(solves, filter), order)}
        rowId={({ id }) => id}
        sort={order}
        onSort={(next) => change({ sort: orderText(next) })}
        virtualFrom={VIRTUAL_FROM}
        empty={nothing}
      />
    </div>
  )
}

function categoriesOf(solves: readonly Solve[]): string[] {
  return [...new Set(solves.map(({ category }) => category))].sort(compareCategories)
}

function useColumns(start: number): Column<Solve>[] {
  const text = useMessages(profileMessages)
  const format = useFormat()
  return [
    {
      id: 'name',
      head: text.challenge,
      sortable: true,
      cell: ({ id, name }) => (
        <Link to={paths.challenge(id)}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'category',
      head: text.category,
      sortable: true,
      cell: (solve) => (
        <span className="pn-nowrap">
          <CategoryMark name={solve.category} />
        </span>
      ),
    },
    {
      id: 'points',
      head: text.points,
      sortable: true,
      align: 'end',
      cell: ({ points }) => (points === null ? '' : format.number(points)),
    },
    {
      id: 'createdAt',
      head: text.when,
      sortable: true,
      align: 'end',
      cell: ({ createdAt }) => (
        <span title={format.dateTime(createdAt)}>{clockText(Math.max(0, createdAt - start))}</span>
      ),
    },
    {
      id: 'blood',
      head: text.blood,
      sortable: true,
      cell: ({ bloodIndex, assisted }) => {
        const sign = bloodIndex === null ? undefined : BLOODS[bloodIndex]
        return (
          <>
            {sign && <Pennant sign={sign} />}
            {assisted && (
              <Suspense>
                <AssistedMark />
              </Suspense>
            )}
          </>
        )
      },
    },
  ]
}
