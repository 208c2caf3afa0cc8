import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'

/** The last change of dynamic points: an arrow, a number and, for screen readers, a word. */
export function Delta({ by }: { readonly by: number }) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const size = format.number(Math.abs(by))
  if (by === 0) return null
  return (
    <span className={by > 0 ? 'pn-ok pn-nowrap' : 'pn-bad pn-nowrap'}>
      <span aria-hidden="true">
        {by > 0 ? '▲' : '▼'} {size}
      </span>
      <span className="pn-hidden">{by > 0 ? text.up(size) : text.down(size)}</span>
    </span>
  )
}
