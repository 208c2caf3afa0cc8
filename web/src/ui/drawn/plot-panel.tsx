import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { TableToggle } from '../plots/table-toggle.tsx'
import { EmptyState } from '../states/messages.tsx'
import { Panel } from '../states/panel.tsx'
import styles from './drawn.module.css'

interface PlotPanelProps {
  readonly title: string
  /** Next to the title: the legend, or a number. */
  readonly aside?: ReactNode
  /** What the drawing shows, for screen readers. */
  readonly label: string
  readonly height: number
  /** Shown instead of the drawing and the table while there is nothing to draw. */
  readonly empty?: string | undefined
  /** Draws into a box of this width; called again when the width changes. */
  readonly draw: (width: number) => ReactNode
  readonly table: Table
  /** Below the drawing. */
  readonly children?: ReactNode
}

interface Table {
  readonly head: readonly string[]
  /** The first cell names the row. */
  readonly rows: readonly (readonly [ReactNode, ...ReactNode[]])[]
}

/** A plot as a drawing and, on request, as a table. */
export function PlotPanel({ title, aside, label, height, empty, draw, table, children }: PlotPanelProps) {
  const { place, width } = useWidth()
  if (empty !== undefined) {
    return (
      <Panel title={title} className={styles.panel}>
        <EmptyState isPart>{empty}</EmptyState>
      </Panel>
    )
  }
  return (
    <Panel title={title} actions={aside} className={styles.panel}>
      <div ref={place} className={styles.place} style={{ blockSize: height }}>
        {width > 0 && (
          <svg role="img" aria-label={label} className={styles.plot} width={width} height={height}>
            {draw(width)}
          </svg>
        )}
      </div>
      {children}
      <TableToggle label={label}>
        <DataOf {...table} />
      </TableToggle>
    </Panel>
  )
}

function DataOf({ head, rows }: Table) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], at) => (
          <tr key={at}>
            <th scope="row">{name}</th>
            {cells.map((cell, column) => (
              <td key={head[column + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const box = place.current
    if (!box) return
    const follow = new ResizeObserver(() => setWidth(box.clientWidth))
    follow.observe(box)
    return () => follow.disconnect()
  }, [])
  return { place, width }
}
