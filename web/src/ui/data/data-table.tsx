import {
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../icon.tsx'
import { useSingleKeys } from '../keys/single-keys.ts'
import { useUiMessages } from '../ui-messages.ts'
import styles from './data.module.css'
import { useRowsInView, type Span } from './rows-in-view.ts'

const VIRTUAL_FROM = 200
const SPARE_ROWS = 12
const ROW_PX = { comfortable: 44, compact: 36 } as const

export interface Column<Row> {
  readonly id: string
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'start' | 'end'
  /** The last column with the row actions: it stays visible during horizontal scrolling. */
  readonly stays?: boolean
  /** Hidden on narrow screens unless selected. */
  readonly spare?: boolean
  readonly sortable?: boolean
}

export interface Sort {
  readonly by: string
  readonly direction: 'ascending' | 'descending'
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  /** Name of the row, for the label of its checkbox. */
  readonly rowName?: (row: Row) => string
  /** The caller or the server does the sorting. */
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort) => void
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (selected: ReadonlySet<string>) => void
  /** The row whose details are open. */
  readonly current?: string | undefined
  readonly onOpen?: (row: Row) => void
  /** Without rows: an `EmptyState`. */
  readonly empty: ReactElement
  readonly density?: keyof typeof ROW_PX
  /** Total number of rows if `rows` is one page of them. */
  readonly total?: number
  /** Number of rows from which the table is virtualized; 200 by default. */
  readonly virtualFrom?: number
  /** CSS length; a virtualized table needs one. */
  readonly maxHeight?: string
  /** On phones each row becomes a card, for tables with many columns. Ignored while virtualized. */
  readonly cards?: boolean
}

/** A table with sortable headers, selection and keys: j, k and arrows move, Enter opens, x selects. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, density = 'comfortable', maxHeight, virtualFrom = VIRTUAL_FROM } = props
  const messages = useUiMessages()
  const single = useSingleKeys()
  const scroller = useRef<HTMLDivElement>(null)
  const isVirtual = rows.length >= virtualFrom
  const rowHeight = ROW_PX[density]
  const seen = useRowsInView(scroller, { count: rows.length, rowHeight, spare: SPARE_ROWS })
  const span = isVirtual ? seen : { from: 0, to: rows.length }
  if (rows.length === 0) return props.empty
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={
        {
          maxHeight: maxHeight ?? (isVirtual ? '80vh' : undefined),
          '--pn-row': `${rowHeight}px`,
        } as CSSProperties
      }
      role="region"
      tabIndex={0}
      aria-label={messages.tableScroll(label)}
      onKeyDown={(event) => {
        if (single || event.key.length > 1) onRowKey(event, scroller.current)
      }}
    >
      {/* Explicit roles, because the card layout removes the implicit table semantics. */}
      <table
        role="table"
        className={styles.table}
        data-cards={(props.cards && !isVirtual) || undefined}
        aria-label={label}
        aria-rowcount={(props.total ?? rows.length) + 1}
      >
        <Head {...props} />
        <tbody role="rowgroup">
          <Gap rows={span.from} rowHeight={rowHeight} columns={columns.length + 1} />
          <Body {...props} span={span} />
          <Gap rows={rows.length - span.to} rowHeight={rowHeight} columns={columns.length + 1} />
        </tbody>
      </table>
    </div>
  )
}

function Head<Row>({ columns, rows, rowId, sort, onSort, selected, onSelect }: DataTableProps<Row>) {
  const messages = useUiMessages()
  const all = rows.length > 0 && rows.every((row) => selected?.has(rowId(row)))
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {onSelect && (
          <th role="columnheader" scope="col">
            <input
              type="checkbox"
              className={styles.check}
              aria-label={messages.selectAll}
              checked={all}
              onChange={() => onSelect(withRows(selected, rows.map(rowId), !all))}
            />
          </th>
        )}
        {columns.map(({ id, head, align, stays, sortable }) => (
          <th
            key={id}
            role="columnheader"
            scope="col"
            className={cx(align === 'end' && styles.end, stays && styles.stays)}
            aria-sort={sort?.by === id ? sort.direction : undefined}
          >
            {sortable && onSort ? (
              <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
                {head}
                <Icon name={sort?.by === id ? arrowOf(sort) : 'sort'} />
              </button>
            ) : (
              head
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Adds these rows to the selection or removes them; rows of other pages are unchanged. */
function withRows(selected: ReadonlySet<string> | undefined, rows: readonly string[], isIn: boolean) {
  const next = new Set(selected)
  for (const id of rows) {
    if (isIn) next.add(id)
    else next.delete(id)
  }
  return next
}

function arrowOf({ direction }: Sort) {
  return direction === 'ascending' ? 'chevronUp' : 'chevronDown'
}

function nextSort(sort: Sort | undefined, by: string): Sort {
  const turn = sort?.by === by && sort.direction === 'ascending'
  return { by, direction: turn ? 'descending' : 'ascending' }
}

function Body<Row>({ span, ...props }: DataTableProps<Row> & { readonly span: Span }) {
  const messages = useUiMessages()
  const { columns, rows, rowId, rowName, selected, onSelect, current, onOpen } = props
  const single = useSingleKeys()
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  const open = (event: MouseEvent, row: Row) => {
    // Ignore clicks on controls inside the row.
    if (!(event.target as Element).closest('a, button, input, label')) onOpen?.(row)
  }
  return rows.slice(span.from, span.to).map((row, at) => {
    const id = rowId(row)
    return (
      <tr
        key={id}
        role="row"
        aria-rowindex={span.from + at + 2}
        aria-selected={selected?.has(id) || current === id ? true : undefined}
        tabIndex={onOpen ? 0 : undefined}
        data-opens={onOpen ? '' : undefined}
        data-row={id}
        onClick={(event) => open(event, row)}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return
          if (event.key === 'Enter' && onOpen) {
            // What opens has the focus at once, and the key would press its button.
            event.preventDefault()
            onOpen(row)
          }
          if (event.key === 'x' && onSelect && single) toggle(id)
        }}
      >
        {onSelect && (
          <td role="cell">
            <input
              type="checkbox"
              className={styles.check}
              aria-label={messages.selectNamed(rowName?.(row) ?? id)}
              checked={selected?.has(id) ?? false}
              onChange={() => toggle(id)}
            />
          </td>
        )}
        {columns.map((column) => (
          <td
            key={column.id}
            role="cell"
            data-label={column.head}
            className={cx(column.align === 'end' && styles.end, column.stays && styles.stays)}
          >
            {/* A single wrapper next to the label, whatever the cell contains. */}
            <div className={styles.inCell}>{column.cell(row)}</div>
          </td>
        ))}
      </tr>
    )
  })
}

/** Spacer for the rows that are not rendered. */
function Gap({ rows, rowHeight, columns }: { rows: number; rowHeight: number; columns: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={columns} style={{ height: rows * rowHeight }} />
    </tr>
  )
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

function onRowKey(event: KeyboardEvent, scroller: HTMLElement | null) {
  const step = STEPS[event.key]
  const target = event.target as Element
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select'))
    return
  const rows = Array.from(scroller?.querySelectorAll<HTMLElement>('tr[tabindex]') ?? [])
  if (rows.length === 0) return
  const at = rows.findIndex((row) => row === target.closest('tr'))
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus()
  event.preventDefault()
}
