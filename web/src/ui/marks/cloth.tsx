import { cx } from '../cx.ts'
import { categoryOf } from './categories.ts'
import { clothStyle } from './category-mark.tsx'
import { BELOW, chargeOf, chargePath, foldPath, pennantPath, swallowtailPath } from './cloth-shapes.ts'
import styles from './marks.module.css'

/** What became of a challenge: solved, open, or due with a later wave; or solved first, second or third. */
export type ClothState = 'solved' | 'open' | 'later' | 1 | 2 | 3

export interface ClothSize {
  /** In pixels of the drawing, like the height. */
  readonly width: number
  readonly height: number
}

interface ClothProps extends ClothSize {
  readonly category: string
  readonly state: ClothState
  /** Mirrors the cloth, but not its digit. */
  readonly isMirrored?: boolean
  /** Its place in the drawing. */
  readonly transform?: string
}

/** One cloth as part of a drawing: the middle of its upper edge is at 0, 0. From 15 wide with its charge. */
export function Cloth({ category, state, width, height, isMirrored = false, transform }: ClothProps) {
  if (typeof state === 'number')
    return <Swallowtail place={state} width={width} height={height} transform={transform} />
  const kind = categoryOf(category)
  const half = width / 2
  const outline = pennantPath(half, height)
  return (
    <g style={clothStyle(kind)} transform={isMirrored ? `${transform ?? ''} scale(-1 1)` : transform}>
      <path className={cx(styles.cloth, styles[`cloth-${state}`])} d={outline} />
      {state === 'solved' && width >= BELOW.charge && (
        <path className={styles.charge} d={chargePath(chargeOf(kind), half, height)} />
      )}
      {state === 'solved' && width >= BELOW.fold && (
        <path className={styles.fold} d={foldPath(half, height)} />
      )}
    </g>
  )
}

interface SwallowtailProps extends ClothSize {
  readonly place: 1 | 2 | 3
  readonly transform: string | undefined
}

function Swallowtail({ place, width, height, transform }: SwallowtailProps) {
  return (
    <g transform={transform}>
      <path className={cx(styles.medal, styles[`medal${place}`])} d={swallowtailPath(width / 2, height)} />
      {width >= BELOW.digit && (
        <text className={styles.onMedal} y={(height * 0.54).toFixed(1)} fontSize={(width * 0.56).toFixed(1)}>
          {place}
        </text>
      )}
    </g>
  )
}

interface ClothMarkProps extends ClothProps {
  /** Read instead of the picture; without it, the picture is hidden from readers. */
  readonly label?: string
}

/** A single cloth, for example in the list of a category or in a plot's key. */
export function ClothMark({ label, ...cloth }: ClothMarkProps) {
  const { width, height } = cloth
  return (
    <svg
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={styles.drawing}
      width={width + 2}
      height={height + 2}
      viewBox={`${-width / 2 - 1} -1 ${width + 2} ${height + 2}`}
    >
      <Cloth {...cloth} />
    </svg>
  )
}
