import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { words } from '../../challenge/words.ts'
import styles from './challenges.module.css'

/** By how much live points went up or down last: an arrow, a number and, for readers, the word. */
export function Delta({ by }: { readonly by: number }) {
  const text = useText(words)
  const format = useFormat()
  const size = format.number(Math.abs(by))
  if (by === 0) return null
  return (
    <span className={by > 0 ? styles.up : styles.down}>
      <span aria-hidden="true">
        {by > 0 ? '▲' : '▼'} {size}
      </span>
      <span className="pn-hidden">{by > 0 ? text.up(size) : text.down(size)}</span>
    </span>
  )
}
