import { Link, useSearchParams } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { clockText } from '../../ui/data/durations.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import { Pennant } from '../../ui/marks/pennant.tsx'
import { orderFromText, orderText, sorted, type Solve } from './solve-order.ts'
import { words } from './words.ts'

const BLOODS = ['blood1', 'blood2', 'blood3'] as const

/** What a team solved; its order stands in the address. */
export function SolveTable({ solves }: { readonly solves: readonly Solve[] }) {
  const text = useText(words)
  const format = useFormat()
  const start = useConfig()?.startTime ?? 0
  const [search, setSearch] = useSearchParams()
  const order = orderFromText(search.get('sort'))
  const columns: Column<Solve>[] = [
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
      cell: (solve) => <CategoryMark name={solve.category} />,
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
      cell: ({ bloodIndex }) => {
        const sign = bloodIndex === null ? undefined : BLOODS[bloodIndex]
        return sign && <Pennant sign={sign} />
      },
    },
  ]
  return (
    <DataTable
      label={text.solves}
      columns={columns}
      rows={sorted(solves, order)}
      rowId={({ id }) => id}
      sort={order}
      onSort={(next) => setSearch({ sort: orderText(next) }, { replace: true, preventScrollReset: true })}
      empty={text.noSolves}
    />
  )
}
