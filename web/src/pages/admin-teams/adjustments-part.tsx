import {
  createScoreAdjustment,
  listAdminScoreAdjustments,
  undoScoreAdjustment,
} from '@pennant/contract/score-adjustments.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { requestData, send } from '../../api/client.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { LIST_PAGE } from '../../organisers/use-list-address.ts'
import { refresh } from '../../state/live.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { EVERY_MS, teamsKey, type TeamDetail } from './queries.ts'
import styles from './teams.module.css'
import { useListAction } from '../../organisers/use-list-action.ts'

/** Limit of the contract. */
const LONGEST_REASON = 200
const WHOLE_NUMBER = /^[+-]?\d{1,7}$/

/** A page of the adjustments of a team's score, newest first, undone ones too. */
function adjustmentsQuery(id: string, page: number) {
  const query = { userId: id, limit: String(LIST_PAGE), offset: String(page * LIST_PAGE) }
  return queryOptions({
    queryKey: [...teamsKey, 'adjustments', id, page],
    queryFn: ({ signal }) => requestData(listAdminScoreAdjustments, { query }, { signal }),
    placeholderData: keepPreviousData,
    ...refresh(EVERY_MS),
  })
}

type ScoreAdjustment = Awaited<
  ReturnType<typeof requestData<typeof listAdminScoreAdjustments>>
>['adjustments'][number]

/** Points that organisers awarded to the team or deducted, and a form for more. */
export function AdjustmentsPart({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(adminTeamsMessages)
  const [page, setPage] = useState(0)
  const query = useQuery(adjustmentsQuery(team.id, page))
  const action = useListAction(teamsKey)
  const undo = (id: string) => void action.run(send(undoScoreAdjustment, { params: { id } }), text.undoDone)
  const { adjustments, total = 0 } = query.data ?? {}
  return (
    <Section title={text.adjustments} level={3}>
      {adjustments ? (
        <ul className="pn-list pn-gap-2 pn-grid">
          {adjustments.map((row) => (
            <Adjustment key={row.id} row={row} isBusy={action.isPending} onUndo={() => undo(row.id)} />
          ))}
        </ul>
      ) : (
        <Waiting query={query} rows={2} />
      )}
      {(total > LIST_PAGE || page > 0) && <Pager page={page} total={total} onPage={setPage} />}
      {action.failure && <p role="alert">{action.failure}</p>}
      <AdjustForm teamId={team.id} />
    </Section>
  )
}

interface AdjustmentProps {
  readonly row: ScoreAdjustment
  readonly isBusy: boolean
  readonly onUndo: () => void
}

function Adjustment({ row, isBusy, onUndo }: AdjustmentProps) {
  const text = useMessages(adminTeamsMessages)
  const format = useFormat()
  const { points, reason, at, createdByName, undoneAt, undoneByName } = row
  return (
    <li className={styles.solve}>
      <span>
        <b>{format.signed(points)}</b> <bdi>{reason}</bdi>
      </span>
      <time dateTime={new Date(at).toISOString()}>{format.dateTime(at)}</time>
      {createdByName !== null && <span className="pn-muted">{text.by(createdByName)}</span>}
      {undoneAt === null ? (
        <ConfirmButton busy={isBusy} onConfirm={onUndo}>
          {text.undo}
        </ConfirmButton>
      ) : (
        <span>
          {text.undone(format.dateTime(undoneAt))} {undoneByName !== null && text.by(undoneByName)}
        </span>
      )}
    </li>
  )
}

function AdjustForm({ teamId }: { readonly teamId: string }) {
  const text = useMessages(adminTeamsMessages)
  const [points, setPoints] = useState('')
  const [reason, setReason] = useState('')
  const action = useListAction(teamsKey)
  const adjusted = useSuccess(text.adjusted)
  const isComplete = WHOLE_NUMBER.test(points.trim()) && Number(points) !== 0 && reason.trim() !== ''
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete || action.isPending) return
    const data = { userId: teamId, points: Number(points), reason }
    if (!(await action.run(send(createScoreAdjustment, { body: { data } })))) return
    adjusted.show()
    setPoints('')
    setReason('')
  }
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <TextInput
        label={text.points}
        help={text.adjustPointsHelp}
        value={points}
        onChange={setPoints}
        maxLength={8}
      />
      <TextInput
        label={text.adjustReason}
        help={text.adjustReasonHelp}
        value={reason}
        onChange={setReason}
        maxLength={LONGEST_REASON}
        counted
      />
      {action.failure && <p role="alert">{action.failure}</p>}
      <Button
        type="submit"
        busy={action.isPending}
        success={adjusted}
        disabledBecause={isComplete ? undefined : text.adjustIncomplete}
      >
        {text.adjust}
      </Button>
    </form>
  )
}
