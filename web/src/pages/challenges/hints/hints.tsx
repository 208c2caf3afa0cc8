import { buyHint, listHints, type Hint as HintSchema } from '@pennant/contract/hints.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { z } from 'zod'
import { requestData, send } from '../../../api/client.ts'
import { RequestFailure } from '../../../api/failure.ts'
import { OWN_KEY, ownTeamQuery } from '../../../api/queries.ts'
import { useOwnTeam } from '../../../api/use-contest.ts'
import { paths } from '../../../paths.ts'
import { refreshStreamed } from '../../../state/live.ts'
import { hintsMessages } from '../../../text/en/hints.ts'
import { useErrorText, useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Section } from '../../../ui/states/panel.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from './hints.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../../ui/rich/markdown.tsx')).Markdown }))

type Hint = z.output<typeof HintSchema>

/** The hints that the caller's team may know of. The stream says when to read them again. */
function hintsQuery(id: string) {
  return queryOptions({
    queryKey: [OWN_KEY, 'hints', id],
    queryFn: ({ signal }) => requestData(listHints, { params: { id } }, { signal, asTeam: true }),
    ...refreshStreamed(5 * MINUTE_MS),
  })
}

/** The released hints of a challenge. Loaded only for challenges that have some. */
export function Hints({ id, isSolved }: { readonly id: string; readonly isSolved: boolean }) {
  const text = useMessages(hintsMessages)
  const query = useQuery(hintsQuery(id))
  if (!query.data) return query.error ? <p role="alert">{text.failed}</p> : <Skeleton rows={2} />
  const { hints, score } = query.data
  // The own team's list of bought hints may be older than their deletion.
  if (hints.length === 0) return null
  return (
    <Section title={text.title} level={3} className={styles.hints}>
      <p role="status" className="pn-hidden">
        {text.count(hints.length)}
      </p>
      <ol className={styles.list}>
        {hints.map((hint, index) => (
          <li key={hint.id}>
            <HintItem {...{ hint, id, score, isSolved }} number={index + 1} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

interface ItemProps {
  readonly hint: Hint
  readonly id: string
  /** What the team can pay with; null if that is not known. */
  readonly score: number | null
  readonly isSolved: boolean
  readonly number: number
}

function HintItem({ hint, id, score, isSolved, number }: ItemProps) {
  const text = useMessages(hintsMessages)
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  // The button disappears with the purchase, so the focus goes to the heading above the text.
  const heading = useRef<HTMLHeadingElement>(null)
  const price = format.number(hint.price)
  const close = (isBought: boolean) => {
    setOpen(false)
    if (isBought) setTimeout(() => heading.current?.focus())
  }
  return (
    <>
      <h4 ref={heading} tabIndex={-1}>
        {text.hint(number)}
        {hint.bought && <span className={styles.paid}>{text.paid(hint.price, price)}</span>}
      </h4>
      {hint.text !== null ? (
        <Suspense fallback={<Skeleton rows={2} />}>
          <Markdown text={hint.text} />
        </Suspense>
      ) : (
        <Offer {...{ hint, isSolved, score }} onBuy={() => setOpen(true)} />
      )}
      {isOpen && <Purchase {...{ hint, id, score, number }} onClose={close} />}
    </>
  )
}

function Offer({
  hint,
  score,
  isSolved,
  onBuy,
}: Pick<ItemProps, 'hint' | 'score' | 'isSolved'> & { readonly onBuy: () => void }) {
  const text = useMessages(hintsMessages)
  const format = useFormat()
  const { pathname, search } = useLocation()
  const { isSignedIn } = useOwnTeam()
  const price = format.number(hint.price)
  if (!isSignedIn) return <Link to={paths.signIn(pathname + search)}>{text.signIn(hint.price, price)}</Link>
  if (isSolved) return <p className={styles.muted}>{text.solved}</p>
  const missing = score !== null && score < hint.price
  return (
    <Button onClick={onBuy} disabledBecause={missing ? text.tooFew(hint.price, price) : undefined}>
      {text.show(hint.price, price)}
    </Button>
  )
}

interface PurchaseProps extends Omit<ItemProps, 'isSolved'> {
  readonly onClose: (isBought: boolean) => void
}

/** Asks before points are charged. Names the price that is sent along, so that no other one is charged. */
function Purchase({ hint, id, score, number, onClose }: PurchaseProps) {
  const text = useMessages(hintsMessages)
  const format = useFormat()
  const purchase = usePurchase({ id, hint, onBought: () => onClose(true) })
  const price = format.number(hint.price)
  const left = score === null ? null : score - hint.price
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={text.askTitle(number)}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{text.cancel}</Button>
          <Button tone="primary" busy={purchase.isPending} onClick={() => purchase.mutate()}>
            {text.show(hint.price, price)}
          </Button>
        </>
      }
    >
      <p>{text.askAbout(hint.price, price)}</p>
      {left !== null && left >= 0 && <p>{text.left(left, format.number(left))}</p>}
      <p role="alert">{purchase.data ?? ''}</p>
    </Dialog>
  )
}

function priceIn(data: object | undefined): number {
  return data && 'price' in data && typeof data.price === 'number' ? data.price : 0
}

/** Its data is the message of a failure, null after a success. */
function usePurchase({
  id,
  hint,
  onBought,
}: {
  readonly id: string
  readonly hint: Hint
  readonly onBought: () => void
}) {
  const queries = useQueryClient()
  const text = useMessages(hintsMessages)
  const format = useFormat()
  const errorText = useErrorText('change')
  return useMutation({
    async mutationFn(): Promise<string | null> {
      const request = { params: { id, hintId: hint.id }, body: { price: hint.price } }
      try {
        const response = await send(buyHint, request)
        if (response.kind === 'goodHint') return null
        if (response.kind === 'badHintPrice') {
          const price = priceIn(response.data)
          return text.priceChanged(price, format.number(price))
        }
        if (response.kind === 'badHintPoints') return text.tooFew(hint.price, format.number(hint.price))
        if (response.kind === 'badHintSolved') return text.solved
        return errorText(response)
      } catch (error) {
        // The purchase may have reached the server. Asking again charges nothing then.
        if (error instanceof RequestFailure) return errorText(error)
        throw error
      }
    },
    async onSuccess(failure) {
      await queries.invalidateQueries({ queryKey: hintsQuery(id).queryKey })
      if (failure !== null) return
      void queries.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
      onBought()
    },
  })
}
