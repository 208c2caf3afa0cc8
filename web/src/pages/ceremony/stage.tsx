import { useEffect, useMemo, useRef } from 'react'
import type { goodCeremony } from '@pennant/contract/replay.ts'
import { useConfig } from '../../api/use-contest.ts'
import { Podium } from '../../ui/board/podium.tsx'
import { ceremonyMessages } from '../../text/en/ceremony.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { useRowMoves } from '../../ui/board/use-row-moves.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Avatar } from '../../ui/data/team-name.tsx'
import styles from './ceremony.module.css'
import { frameAt, stepsOf, type Frame, type Step, type Team } from './reveal.ts'
import { useSteps } from './use-steps.ts'

type Ceremony = ReturnType<typeof goodCeremony>['data']

const AVATAR_PX = 40

interface StageProps {
  readonly ceremony: Ceremony
  /** Seconds between two steps while it plays. */
  readonly pace: number
}

/** The reveal, step by step; at its end the podium. */
export function Stage({ ceremony, pace }: StageProps) {
  const text = useMessages(ceremonyMessages)
  const { teams, total } = ceremony
  const steps = useMemo(() => stepsOf(teams, total), [teams, total])
  const moves = useSteps(steps.length, pace)
  const frame = useMemo(() => frameAt(teams, steps, moves.index), [teams, steps, moves.index])
  const name = useConfig()?.ctfName ?? text.title
  return (
    <div className={styles.stage} data-bare={moves.isHidden || undefined}>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {frame.step.kind === 'podium' ? (
        <div className={styles.podium}>
          <Podium rows={teams.map((team) => ({ ...team, score: team.after.score }))} />
        </div>
      ) : (
        <Board ceremony={ceremony} steps={steps} frame={frame} index={moves.index} />
      )}
      <p className={styles.said} aria-live="polite" aria-atomic="true">
        <Said ceremony={ceremony} step={frame.step} />
      </p>
      {!moves.isHidden && <Bar moves={moves} total={steps.length} />}
    </div>
  )
}

/** What happens in the step. */
function Said({ ceremony, step }: { readonly ceremony: Ceremony; readonly step: Step }) {
  const text = useMessages(ceremonyMessages)
  const format = useFormat()
  const { teams, challenges, from } = ceremony
  const team = 'teamId' in step ? teams.find(({ id }) => id === step.teamId) : teams[0]
  const name = team?.name ?? ''
  const rank = format.number(team?.after.rank ?? 0)
  switch (step.kind) {
    case 'start':
      return text.start(format.dateTime(from))
    case 'rest':
      return text.rest(format.number(step.count), format.number(teams.length))
    case 'values':
      return text.values
    case 'solve': {
      const challenge = challenges[step.solve.challengeId]?.name ?? ''
      return text.solve(name, challenge, format.signed(step.points))
    }
    case 'other':
      return text.other(name, format.signed(step.points))
    case 'settle':
      return text.settle(rank, name, format.number(team?.after.score ?? 0))
    case 'podium':
      return text.podium(name)
  }
}

interface BoardProps {
  readonly ceremony: Ceremony
  readonly steps: readonly Step[]
  readonly frame: Frame
  readonly index: number
}

function Board({ ceremony, steps, frame, index }: BoardProps) {
  const text = useMessages(ceremonyMessages)
  const list = useRef<HTMLOListElement>(null)
  const { order, step, scores, settled } = frame
  useRowMoves(list, order)
  const shown = 'teamId' in step ? step.teamId : order.at(-1)
  useEffect(() => {
    const row = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find(
      ({ dataset }) => dataset['row'] === shown,
    )
    row?.scrollIntoView({ block: 'center' })
  }, [shown, index])
  const byId = useMemo(() => new Map(ceremony.teams.map((team) => [team.id, team])), [ceremony])
  const pending = useMemo(() => pendingAfter(steps, index), [steps, index])
  return (
    // Scrolls to the team automatically, and by hand.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroller} role="region" aria-label={text.standings} tabIndex={0}>
      <ol ref={list} className={styles.rows}>
        {order.map((id, at) => {
          const team = byId.get(id)
          return (
            team && (
              <Row
                key={id}
                team={team}
                rank={at + 1}
                score={scores.get(id) ?? 0}
                pending={pending.get(id) ?? 0}
                isFinal={settled.has(id)}
                isShown={'teamId' in step && step.teamId === id}
              />
            )
          )
        })}
      </ol>
    </div>
  )
}

/** The number of solves that are still to be revealed, by team. */
function pendingAfter(steps: readonly Step[], index: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const step of steps.slice(index + 1))
    if (step.kind === 'solve') counts.set(step.teamId, (counts.get(step.teamId) ?? 0) + 1)
  return counts
}

interface RowProps {
  readonly team: Team
  readonly rank: number
  readonly score: number
  readonly pending: number
  readonly isFinal: boolean
  readonly isShown: boolean
}

function Row({ team: { id, name, avatarUrl }, rank, score, pending, isFinal, isShown }: RowProps) {
  const text = useMessages(ceremonyMessages)
  const format = useFormat()
  return (
    <li
      data-row={id}
      value={rank}
      data-final={isFinal || undefined}
      data-shown={isShown || undefined}
      data-medal={isFinal && rank <= 3 ? rank : undefined}
    >
      <span className={styles.rank} aria-hidden="true">
        {format.number(rank)}
      </span>
      <Avatar name={name} teamId={id} url={avatarUrl} size={AVATAR_PX} />
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.state}>{isFinal ? text.final : pending > 0 && text.solves(pending)}</span>
      <b className={styles.score}>{format.number(score)}</b>
    </li>
  )
}

interface BarProps {
  readonly moves: ReturnType<typeof useSteps>
  readonly total: number
}

function Bar({ moves: { index, isPlaying, pace, actions }, total }: BarProps) {
  const text = useMessages(ceremonyMessages)
  const format = useFormat()
  return (
    <div className={styles.bar} role="toolbar" aria-label={text.title}>
      <Button onClick={actions.back}>{text.back}</Button>
      <Button tone="primary" onClick={actions.next}>
        {text.next}
      </Button>
      <Button onClick={actions.toggle}>{isPlaying ? text.pause : text.play}</Button>
      <span className="pn-line pn-gap-2">
        <Button onClick={actions.slower}>{text.slower}</Button>
        <span>
          {text.pace}: {format.number(pace)}
        </span>
        <Button onClick={actions.faster}>{text.faster}</Button>
      </span>
      {document.fullscreenEnabled && <Button onClick={actions.screen}>{text.fullScreen}</Button>}
      <span>{text.stepOf(format.number(index + 1), format.number(total))}</span>
      <small>{text.keys}</small>
    </div>
  )
}
