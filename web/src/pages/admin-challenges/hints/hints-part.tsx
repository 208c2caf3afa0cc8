import {
  createHint,
  deleteHint,
  hintLimits,
  listAdminHints,
  orderHints,
  releaseHint,
  updateHint,
  type AdminHint as AdminHintSchema,
} from '@pennant/contract/hints.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type KeyboardEvent } from 'react'
import type { z } from 'zod'
import { requestData, send } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { useMay } from '../../../api/use-contest.ts'
import { MarkdownPreview } from '../../../organisers/markdown-preview.tsx'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { useListAction } from '../../../organisers/use-list-action.ts'
import { useDirtyMark } from '../../../layout/leaving/use-dirty-mark.ts'
import { useTimed } from '../../../state/clock.ts'
import { refresh } from '../../../state/live.ts'
import { adminHintsMessages } from '../../../text/en/admin-hints.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { DateTime } from '../../../ui/fields/date-time.tsx'
import { NumberInput, Select, Textarea } from '../../../ui/fields/inputs.tsx'
import { AskButton } from '../../../ui/layers/confirm.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from './hints-part.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../../ui/rich/markdown.tsx')).Markdown }))

type AdminHint = z.output<typeof AdminHintSchema>
type Kind = AdminHint['release']['kind']

const keyOf = (id: string) => [OWN_KEY, 'admin-hints', id]

/** The hints of a challenge: their texts, prices and releases. */
export function HintsPart({ id }: { readonly id: string }) {
  const text = useMessages(adminHintsMessages)
  const mayWrite = useMay('challsWrite')
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => requestData(listAdminHints, { params: { id } }, { signal }),
    ...refresh(MINUTE_MS / 2),
  })
  const [isAdding, setAdding] = useState(false)
  if (!query.data) return <Waiting query={query} rows={2} />
  const { hints } = query.data
  const add = mayWrite && !isAdding && hints.length < hintLimits.perChallenge && (
    <Button onClick={() => setAdding(true)}>{text.add}</Button>
  )
  return (
    <>
      {hints.length === 0 && !isAdding && (
        <EmptyState isPart action={add}>
          {text.none}
        </EmptyState>
      )}
      {/* All at once, so that no text moves the buttons below it when Markdown has been loaded. */}
      <Suspense fallback={<Skeleton rows={2} height="var(--pn-row)" />}>
        <ol className={styles.list}>
          {hints.map((hint, index) => (
            <li key={hint.id} aria-label={text.hint(index + 1)}>
              <Row {...{ hint, hints, index, mayWrite }} />
            </li>
          ))}
        </ol>
      </Suspense>
      {hints.length > 0 && add && <div className={styles.actions}>{add}</div>}
      {isAdding && <Adding id={id} onClose={() => setAdding(false)} />}
    </>
  )
}

interface RowProps {
  readonly hint: AdminHint
  readonly hints: readonly AdminHint[]
  readonly index: number
  readonly mayWrite: boolean
}

function Row({ hint, hints, index, mayWrite }: RowProps) {
  const text = useMessages(adminHintsMessages)
  const format = useFormat()
  const { challengeId, releaseAt, purchases } = hint
  const isReleased = useTimed((now) => releaseAt !== null && releaseAt <= now)
  const [isEdited, setEdited] = useState(false)
  const action = useListAction(keyOf(challengeId))
  const params = { id: hint.id }
  const moveUp = () => {
    const ids = hints.map((each) => each.id)
    ids.splice(index - 1, 2, hint.id, ids[index - 1] ?? '')
    const request = { params: { id: challengeId }, body: { data: { hintIds: ids } } }
    void action.run(send(orderHints, request), text.saved)
  }
  const remove = () => {
    const query = { refund: purchases > 0 ? ('true' as const) : ('false' as const) }
    return action.run(send(deleteHint, { params, query }), text.deleted)
  }
  return (
    <>
      <FactsLine {...{ hint, index, isReleased }} />
      {isEdited ? (
        <HintForm
          hint={hint}
          busy={action.isPending}
          onCancel={() => setEdited(false)}
          onSave={async (data) => {
            const request = { params, body: { data: { ...data, version: hint.version } } }
            if (await action.run(send(updateHint, request), text.saved)) setEdited(false)
          }}
        />
      ) : (
        <Markdown text={hint.text} />
      )}
      {mayWrite && !isEdited && (
        <div className={styles.actions}>
          <Button onClick={() => setEdited(true)}>{text.edit}</Button>
          {!isReleased && (
            <Button
              busy={action.isPending}
              onClick={() => void action.run(send(releaseHint, { params }), text.released)}
            >
              {text.release}
            </Button>
          )}
          {isReleased && <Withdrawal hint={hint} action={action} />}
          {index > 0 && <Button onClick={moveUp}>{text.moveUp}</Button>}
          <AskButton
            tone="danger"
            title={text.deleteTitle(index + 1)}
            about={
              <p>
                {purchases > 0 ? text.refundAbout(purchases, format.number(purchases)) : text.deleteAbout}
              </p>
            }
            action={purchases > 0 ? text.deleteAndRefund : text.delete}
            busy={action.isPending}
            onConfirm={remove}
          >
            {text.delete}
          </AskButton>
        </div>
      )}
      {action.failure && <p role="alert">{action.failure}</p>}
    </>
  )
}

interface WithdrawalProps {
  readonly hint: AdminHint
  readonly action: ReturnType<typeof useListAction>
}

function Withdrawal({ hint: { id, version, purchases }, action }: WithdrawalProps) {
  const text = useMessages(adminHintsMessages)
  const format = useFormat()
  const body = { data: { version, release: { kind: 'manual' } } } as const
  return (
    <AskButton
      title={text.withdrawTitle}
      about={
        <>
          <p>{text.withdrawAbout}</p>
          {purchases > 0 && <p>{text.withdrawKept(purchases, format.number(purchases))}</p>}
        </>
      }
      action={text.withdraw}
      busy={action.isPending}
      onConfirm={() => action.run(send(updateHint, { params: { id }, body }), text.withdrawn)}
    />
  )
}

interface FactsProps {
  readonly hint: AdminHint
  readonly index: number
  readonly isReleased: boolean
}

function FactsLine({ hint: { price, purchases, releaseAt }, index, isReleased }: FactsProps) {
  const text = useMessages(adminHintsMessages)
  const format = useFormat()
  const when = releaseAt === null ? '' : format.dateTime(releaseAt)
  return (
    <p className={styles.facts}>
      <b>{text.hint(index + 1)}</b>
      <span>{price === 0 ? text.free : text.points(price, format.number(price))}</span>
      <span>
        {isReleased ? text.releasedAt(when) : releaseAt === null ? text.waits : text.releasesAt(when)}
      </span>
      <span>{text.bought(purchases, format.number(purchases))}</span>
    </p>
  )
}

interface AddingProps {
  readonly id: string
  readonly onClose: () => void
}

function Adding({ id, onClose }: AddingProps) {
  const { saved } = useMessages(adminHintsMessages)
  const action = useListAction(keyOf(id))
  return (
    <>
      <HintForm
        busy={action.isPending}
        onCancel={onClose}
        onSave={async (data) => {
          if (await action.run(send(createHint, { params: { id }, body: { data } }), saved)) onClose()
        }}
      />
      {action.failure && <p role="alert">{action.failure}</p>}
    </>
  )
}

interface HintData {
  readonly text: string
  readonly price: number
  readonly release?: AdminHint['release']
}

interface FormProps {
  readonly hint?: AdminHint
  readonly busy: boolean
  readonly onCancel: () => void
  readonly onSave: (data: HintData) => Promise<void>
}

function HintForm({ hint, busy, onCancel, onSave }: FormProps) {
  const text = useMessages(adminHintsMessages)
  const [content, setContent] = useState(hint?.text ?? '')
  const [price, setPrice] = useState<number | null>(hint?.price ?? 0)
  const [kind, setKind] = useState<Kind>(hint?.release.kind ?? 'manual')
  const [at, setAt] = useState(hint?.release.kind === 'time' ? hint.release.at : null)
  const [minutes, setMinutes] = useState<number | null>(
    hint?.release.kind === 'after' ? hint.release.minutes : 60,
  )
  const release = releaseOf(kind, { at, minutes })
  const isComplete = content.trim() !== '' && isWhole(price, hintLimits.price) && release !== null
  useDirtyMark(content !== (hint?.text ?? '') || price !== (hint?.price ?? 0))
  const save = () => {
    if (!isComplete || busy) return
    // A release by hand that stays as it is must not be withdrawn.
    const isKept = kind === 'manual' && hint?.release.kind === 'manual'
    void onSave({ text: content, price: price ?? 0, ...(!isKept && { release }) })
  }
  const choices = (['manual', 'time', 'after'] as const).map((value) => ({ value, label: text.kinds[value] }))
  return (
    // No form element: the editor of the challenge is one, and Enter would save that.
    <div role="form" className="pn-grid pn-gap-3" aria-label={text.form} onKeyDown={withEnter(save)}>
      <Textarea
        label={text.content}
        help={text.textHelp}
        value={content}
        onChange={setContent}
        maxLength={hintLimits.text}
        counted
      />
      <MarkdownPreview text={content} level={4} />
      <NumberInput
        label={text.price}
        help={text.priceHelp}
        value={price}
        onChange={setPrice}
        min={0}
        step={1}
      />
      <Select label={text.when} value={kind} choices={choices} onChange={(value) => setKind(value as Kind)} />
      {kind === 'time' && <DateTime label={text.time} value={at} onChange={setAt} />}
      {kind === 'after' && (
        <NumberInput
          label={text.minutes}
          help={text.minutesHelp}
          value={minutes}
          onChange={setMinutes}
          min={0}
          step={1}
        />
      )}
      <div className={styles.actions}>
        <Button
          onClick={save}
          tone="primary"
          busy={busy}
          disabledBecause={isComplete ? undefined : text.incomplete}
        >
          {text.save}
        </Button>
        <Button onClick={onCancel}>{text.cancel}</Button>
      </div>
    </div>
  )
}

function withEnter(save: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    save()
  }
}

const isWhole = (value: number | null, max: number) =>
  value !== null && Number.isInteger(value) && value >= 0 && value <= max

/** Null while something is missing. */
function releaseOf(
  kind: Kind,
  { at, minutes }: { readonly at: number | null; readonly minutes: number | null },
): AdminHint['release'] | null {
  if (kind === 'manual') return { kind }
  if (kind === 'time') return at === null || Number.isNaN(at) ? null : { kind, at }
  return minutes !== null && isWhole(minutes, hintLimits.minutes) ? { kind, minutes } : null
}
