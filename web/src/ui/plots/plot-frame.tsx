import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { useUiMessages } from '../ui-messages.ts'
import { draw, type Drawing, type Plot } from './draw.ts'
import styles from './plots.module.css'
import { TableToggle } from './table-toggle.tsx'
import { useTheme } from './use-theme.ts'

interface PlotFrameProps {
  readonly label: string
  readonly drawing: Omit<Drawing, 'onZoom'>
  /** The same data as a table. */
  readonly table: ReactNode
  /** Below the plot: the values at the cursor. */
  readonly caption?: ReactNode
}

/** A plot without anything around it, for a corner of a table that has the same numbers. Hidden from readers. */
export function BarePlot({ drawing }: Pick<PlotFrameProps, 'drawing'>) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    if (!place.current) return
    const plot = draw(place.current, drawing)
    return () => plot.destroy()
  }, [drawing, theme])
  return <div ref={place} aria-hidden="true" className={styles.place} style={{ height: drawing.height }} />
}

/** A plot with label, keyboard control and a table of its data. Large, so load it lazily. */
export function PlotFrame({ label, drawing, table, caption }: PlotFrameProps) {
  const messages = useUiMessages()
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const [isZoomed, setIsZoomed] = useState(false)
  const theme = useTheme()
  useEffect(() => {
    if (place.current) plot.current = draw(place.current, { ...drawing, onZoom: setIsZoomed })
    return () => {
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [drawing, theme])
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    Home: -Infinity,
    End: Infinity,
  }
  return (
    <figure
      className={cx(styles.figure, drawing.endLabels && styles.labelled)}
      style={{ '--plot': `${drawing.height}px` } as CSSProperties}
      aria-label={label}
    >
      <div
        ref={place}
        role="img"
        aria-label={label}
        tabIndex={0}
        className={styles.place}
        style={{ height: drawing.height }}
        onKeyDown={(event) => {
          const step = steps[event.key]
          if (event.key === 'Escape' && isZoomed) plot.current?.resetZoom()
          else if (event.key === '+' && !drawing.isSmall) plot.current?.zoom(0.5)
          else if (step !== undefined) plot.current?.step(step)
          else return
          event.preventDefault()
        }}
      />
      <figcaption className={styles.caption} aria-live="polite">
        {caption}
      </figcaption>
      {isZoomed && (
        <Button
          className={styles.reset}
          onClick={() => {
            plot.current?.resetZoom()
            // The button disappears.
            place.current?.focus()
          }}
        >
          {messages.resetZoom}
        </Button>
      )}
      <TableToggle label={label}>{table}</TableToggle>
    </figure>
  )
}
