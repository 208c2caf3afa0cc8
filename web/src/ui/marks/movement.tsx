import { useUiMessages } from '../ui-messages.ts'
import styles from './marks.module.css'

const THIN_SPACE = '\u2009'

/** Ranks gained in the last hour, negative for ranks lost. Nothing for a team that was not ranked before. */
export function Movement({ change }: { readonly change: number | null }) {
  const text = useUiMessages()
  // In the first hour this is everyone.
  if (change === null) return null
  const words = wordsOf(change, text)
  const [kind, sign] = signOf(change)
  return (
    <span className={styles.movement} data-kind={kind} title={words}>
      <span aria-hidden="true">
        {sign}
        {change !== 0 && `${THIN_SPACE}${Math.abs(change)}`}
      </span>
      <span className="pn-hidden">{words}</span>
    </span>
  )
}

function signOf(change: number): readonly [kind: string, sign: string] {
  if (change === 0) return ['same', '–']
  return change > 0 ? ['up', '▲'] : ['down', '▼']
}

function wordsOf(change: number, text: ReturnType<typeof useUiMessages>): string {
  if (change === 0) return text.unmoved
  return change > 0 ? text.movedUp(change) : text.movedDown(-change)
}
