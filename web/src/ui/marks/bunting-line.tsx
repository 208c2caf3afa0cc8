import { useSyncExternalStore } from 'react'
import { Cloth, type ClothSize, type ClothState } from './cloth.tsx'
import { hooksOf, linesOf } from './cloth-shapes.ts'
import styles from './marks.module.css'

export interface BuntingItem {
  readonly category: string
  readonly state: ClothState
}

interface BuntingLineProps {
  /** In reading order: the first one is at the start of the line. */
  readonly items: readonly BuntingItem[]
  /** Width of the drawing in pixels; it shrinks with its place. */
  readonly width: number
  /** Size of a cloth if there is room for it. */
  readonly cloth: ClothSize
  /** Depth of the cord in its middle, as a share of the width. */
  readonly sag?: number
  /** The most pennants on a line; with more, there are two lines. */
  readonly most?: number
  /** Read instead of the picture; without it, the picture is hidden from readers. */
  readonly label?: string
}

/** A cord with one cloth for each item, each turned with the slope of the cord. */
export function BuntingLine({ items, width, cloth, sag = 0.03, most, label }: BuntingLineProps) {
  const isMirrored = useIsMirrored()
  const lines = linesOf(items, most)
  const size = fitting(cloth, (width / Math.max(lines[0]?.length ?? 1, 1)) * 0.82)
  const depth = width * sag
  const pitch = Math.ceil(size.height + 8)
  const height = Math.ceil(depth + size.height + 3 + (lines.length - 1) * pitch)
  return (
    <svg
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={styles.drawing}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {lines.map((line, row) => (
        <g key={row} transform={`translate(0 ${row * pitch + 1})`}>
          <path className={styles.cord} d={`M0 0Q${width / 2} ${(2 * depth).toFixed(1)} ${width} 0`} />
          {hooksOf(line.length, { width, sag: depth }).map(({ x, y, degrees }, at) => {
            const item = line[at]
            const [left, turn] = isMirrored ? [width - x, -degrees] : [x, degrees]
            const place = `translate(${left.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})`
            return item && <Cloth key={at} {...item} {...size} isMirrored={isMirrored} transform={place} />
          })}
        </g>
      ))}
    </svg>
  )
}

/** The cloth, smaller in the same shape if there is less room. */
function fitting({ width, height }: ClothSize, room: number): ClothSize {
  const share = Math.min(1, room / width)
  return { width: width * share, height: height * share }
}

/** Whether the page is written from right to left. For drawings that CSS cannot mirror: digits would turn over. */
function useIsMirrored(): boolean {
  return useSyncExternalStore(subscribe, isMirrored, () => false)
}

const isMirrored = () => document.documentElement.dir === 'rtl'

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['dir'] })
  return () => observer.disconnect()
}
