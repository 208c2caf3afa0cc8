import type { goodLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { useRef } from 'react'
import { liveMessages } from '../../text/en/live.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { useRowMoves } from '../../ui/board/use-row-moves.ts'
import { Avatar } from '../../ui/data/team-name.tsx'
import { Movement } from '../../ui/marks/movement.tsx'
import { BLOODS, Pennant } from '../../ui/marks/pennant.tsx'
import { lineColour, LINE_COLOURS } from '../../ui/plots/labels.ts'
import { Sparkline } from '../../ui/plots/sparkline.tsx'
import styles from './live.module.css'

type Board = ReturnType<typeof goodLeaderboardV2>['data']
type Row = Board['leaderboard'][number]

const AVATAR_PX = 44
const LINE = { width: 168, height: 40 }

interface RanksProps {
  readonly board: Board
  readonly rows: number
  readonly division: string | undefined
}

/** The first teams. Rows move to their new places. */
export function Ranks({ board, rows, division }: RanksProps) {
  const text = useMessages(liveMessages)
  const list = useRef<HTMLOListElement>(null)
  const shown = board.leaderboard.slice(0, rows)
  useRowMoves(
    list,
    shown.map(({ id }) => id),
  )
  if (shown.length === 0) return <p className={styles.note}>{text.noScores}</p>
  return (
    <ol ref={list} className={styles.ranks}>
      {shown.map((row, at) => (
        <Team key={row.id} row={row} at={at} isDivision={division !== undefined} />
      ))}
    </ol>
  )
}

interface TeamProps {
  readonly row: Row
  readonly at: number
  readonly isDivision: boolean
}

function Team({ row, at, isDivision }: TeamProps) {
  const text = useMessages(liveMessages)
  const format = useFormat()
  const { id, name, avatarUrl, score, trend, solves, dynamicScores } = row
  const sign = BLOODS[at]
  const count = solves.length + dynamicScores.length
  const change = isDivision ? trend?.divisionPlaceChange : trend?.globalPlaceChange
  const colour = at < LINE_COLOURS.length ? lineColour(at) : 'faint'
  return (
    <li data-row={id} value={at + 1} data-medal={sign === undefined ? undefined : at + 1}>
      <span className={styles.rank}>
        {sign ? <Pennant sign={sign} size={34} hidden /> : format.number(at + 1)}
      </span>
      <span className={styles.movement}>{change !== undefined && <Movement change={change} />}</span>
      <span className={styles.avatar}>
        <Avatar name={name} teamId={id} url={avatarUrl} size={AVATAR_PX} />
      </span>
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.trend} style={{ color: `var(--pn-${colour})` }}>
        {trend && <Sparkline scores={trend.scores} {...LINE} hasArea />}
      </span>
      <span className={styles.solves}>
        <span aria-hidden="true">{format.number(count)}</span>
        <span className="pn-hidden">{text.solvesCount(count, format.number(count))}</span>
      </span>
      <b className={styles.score}>{format.number(score)}</b>
    </li>
  )
}
