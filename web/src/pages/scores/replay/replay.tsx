import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { goodLeaderboardAt } from '@pennant/contract/replay.ts'
import { PAGE_SIZE } from '../../../api/queries.ts'
import { useConfig, useOwnTeam } from '../../../api/use-contest.ts'
import { useFailure } from '../../../api/use-failure.ts'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { paths } from '../../../paths.ts'
import { replayMessages } from '../../../text/en/replay.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { useRowMoves } from '../../../ui/board/use-row-moves.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { Select } from '../../../ui/fields/inputs.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import styles from './replay.module.css'
import { SPEEDS, useReplay } from './use-replay.ts'

type Board = ReturnType<typeof goodLeaderboardAt>['data']
type Row = Board['leaderboard'][number]

interface ReplayProps {
  /** Unix milliseconds, from the address. */
  readonly time: number
  readonly division: string | undefined
  readonly track: string | undefined
  readonly onTime: (time: number) => void
  readonly onClose: () => void
}

/** The scoreboard at any time of the event, on a slider that can be played. */
export function Replay(props: ReplayProps) {
  const config = useConfig()
  return config && <Player {...props} config={config} />
}

type PlayerProps = ReplayProps & {
  readonly config: { readonly startTime: number; readonly endTime: number }
}

function Player({ division, track, config, onClose, ...address }: PlayerProps) {
  const text = useMessages(replayMessages)
  const [page, setPage] = useState(0)
  const replay = useReplay({ ...address, config, division, track, page })
  const { query, isPlaying } = replay
  const failure = useFailure(query)
  const board = query.data
  return (
    <section className="pn-stack pn-gap-4" aria-label={text.title}>
      <Controls replay={replay} onClose={onClose} />
      <p className="pn-hidden" role="status">
        {!isPlaying && board && <Said board={board} />}
      </p>
      {!board && (
        <LoadState failure={failure}>
          <Skeleton rows={10} height="var(--pn-row)" />
        </LoadState>
      )}
      {board?.total === 0 && (
        <EmptyState action={<Button onClick={onClose}>{text.close}</Button>}>{text.nobody}</EmptyState>
      )}
      {board && board.total > 0 && (
        <>
          <Rows rows={board.leaderboard} isDivision={division !== undefined} />
          <Pager total={board.total} page={page} onPage={setPage} />
        </>
      )}
    </section>
  )
}

function Said({ board }: { readonly board: Board }) {
  const text = useMessages(replayMessages)
  const format = useFormat()
  return text.asOf(format.dateTime(board.time), format.number(board.total))
}

interface ControlsProps {
  readonly replay: ReturnType<typeof useReplay>
  readonly onClose: () => void
}

function Controls({ replay, onClose }: ControlsProps) {
  const text = useMessages(replayMessages)
  const format = useFormat()
  const { position, last, time, isPlaying, speed, move, toggle, setSpeed } = replay
  const slider = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The button that opened the replay is no longer there.
    if (document.activeElement === document.body) slider.current?.focus()
  }, [])
  return (
    <div className={styles.controls}>
      <Button tone="primary" onClick={toggle}>
        {isPlaying ? text.pause : text.play}
      </Button>
      <input
        ref={slider}
        type="range"
        className={styles.slider}
        aria-label={text.time}
        aria-valuetext={format.dateTime(time)}
        min={0}
        max={last}
        value={position}
        onChange={(event) => move(Number(event.currentTarget.value))}
      />
      <time className={styles.time} dateTime={new Date(time).toISOString()}>
        {format.dateTime(time)}
      </time>
      <span className={styles.speed}>
        <Select
          label={text.speed}
          value={speed}
          choices={SPEEDS.map((value) => ({ value, label: text.speeds[value] }))}
          onChange={(value) => setSpeed(SPEEDS.find((each) => each === value) ?? 'normal')}
        />
      </span>
      <Button onClick={onClose}>{text.close}</Button>
    </div>
  )
}

interface RowsProps {
  readonly rows: readonly Row[]
  readonly isDivision: boolean
}

function Rows({ rows, isDivision }: RowsProps) {
  const text = useMessages(replayMessages)
  const format = useFormat()
  const list = useRef<HTMLOListElement>(null)
  const own = useOwnTeam().team?.id
  useRowMoves(
    list,
    rows.map(({ id }) => id),
  )
  return (
    <ol ref={list} className={styles.rows} aria-label={text.standings}>
      {rows.map(({ id, name, avatarUrl, score, solves, globalPlace, divisionPlace }) => {
        const rank = isDivision ? divisionPlace : globalPlace
        return (
          <li
            key={id}
            data-row={id}
            value={rank}
            data-own={id === own || undefined}
            data-medal={rank <= 3 ? rank : undefined}
          >
            <span className={styles.rank} aria-hidden="true">
              {format.number(rank)}
            </span>
            <span className="pn-hidden">{text.rank(format.number(rank))}</span>
            <span className={styles.team}>
              <TeamName
                name={name}
                teamId={id}
                avatarUrl={avatarUrl}
                link={(shown) => <Link to={paths.team(id)}>{shown}</Link>}
              />
            </span>
            <span className={styles.solves}>{text.solvesCount(solves, format.number(solves))}</span>
            <b className={styles.score}>
              <span aria-hidden="true">{format.number(score)}</span>
              <span className="pn-hidden">{text.points(format.number(score))}</span>
            </b>
          </li>
        )
      })}
    </ol>
  )
}

interface PagerProps {
  readonly total: number
  readonly page: number
  readonly onPage: (page: number) => void
}

function Pager({ total, page, onPage }: PagerProps) {
  const text = useMessages(replayMessages)
  const format = useFormat()
  if (total <= PAGE_SIZE && page === 0) return null
  const from = page * PAGE_SIZE + 1
  const to = Math.min(total, from + PAGE_SIZE - 1)
  return (
    <div className="pn-row pn-muted pn-gap-4">
      {page > 0 && <Button onClick={() => onPage(page - 1)}>{text.previous}</Button>}
      {from <= total && (
        <span>{text.range(format.number(from), format.number(to), format.number(total))}</span>
      )}
      {to < total && <Button onClick={() => onPage(page + 1)}>{text.next}</Button>}
    </div>
  )
}
