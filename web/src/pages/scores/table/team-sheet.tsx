import { useMemo } from 'react'
import { Link } from 'react-router'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { paths } from '../../../paths.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CELL } from '../../../ui/board/matrix-maths.ts'
import { CountryFlag } from '../../../ui/data/country-flag.tsx'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { Sheet } from '../../../ui/layers/dialog.tsx'
import { Bunting } from '../../../ui/marks/bunting.tsx'
import { CategoryMark } from '../../../ui/marks/category-mark.tsx'
import { BLOODS, Pennant, type Sign } from '../../../ui/marks/pennant.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { MAX_COMPARED } from '../compare/compared-row.ts'
import { byCategory, cellsOf, columnsOf, countSolved, type Column } from './columns.ts'
import styles from './team-sheet.module.css'
import { NeedsChallenges } from '../needs-challenges.tsx'
import { useBoardChallenges } from '../use-board-challenges.ts'
import type { BoardRow } from '../use-board.ts'

interface TeamSheetProps {
  /** Null while it is closed. */
  readonly row: BoardRow | null
  readonly place: number | null
  readonly onClose: () => void
  /** Adds the team to the comparison, or removes it; with the own team if it is the first. Undefined if it is full. */
  readonly onCompare: ((id: string) => void) | undefined
  readonly isCompared: boolean
}

/** Details of a team next to the scoreboard: rank and solves, the text equivalent of its matrix row. */
export function TeamSheet({ row, place, onClose, onCompare, isCompared }: TeamSheetProps) {
  const text = useMessages(scoresMessages)
  const title = row && <TeamName name={row.name} teamId={row.id} avatarUrl={row.avatarUrl} />
  return (
    <Sheet open={row !== null} onClose={onClose} title={title}>
      {row && <Facts row={row} place={place} />}
      {row && onCompare && (
        <p>
          <Button onClick={() => onCompare(row.id)}>
            {isCompared ? text.leaveComparison : text.compare}
          </Button>
        </p>
      )}
      {row && !onCompare && <p className={styles.status}>{text.comparisonFull(MAX_COMPARED)}</p>}
      {row && <Solves row={row} />}
    </Sheet>
  )
}

function Facts({ row, place }: { readonly row: BoardRow; readonly place: number | null }) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  return (
    <>
      <p className={styles.facts}>
        {place !== null && <b>{text.rankOf(format.number(place))}</b>}
        <b>{text.pointsCount(format.number(row.score))}</b>
        {row.countryCode !== null && <CountryFlag code={row.countryCode} />}
      </p>
      {row.statusText !== null && (
        <p className={styles.status}>
          <bdi>{row.statusText}</bdi>
        </p>
      )}
      <p>
        <Link to={paths.team(row.id)}>{text.toProfile}</Link>
      </p>
    </>
  )
}

function Solves({ row }: { readonly row: BoardRow }) {
  const text = useMessages(scoresMessages)
  const { challenges, isForbidden, failure } = useBoardChallenges()
  const columns = useMemo(() => challenges && columnsOf(challenges, 'category'), [challenges])
  if (isForbidden) return <NeedsChallenges />
  if (!columns) {
    return (
      <LoadState failure={failure}>
        <Skeleton rows={8} height="2rem" />
      </LoadState>
    )
  }
  const cells = cellsOf(row, columns)
  const cellOf = new Map(columns.map(({ id }, at) => [id, cells[at] ?? CELL.none]))
  return (
    <>
      <p>{text.solvedOf(countSolved(cells), columns.length)}</p>
      {byCategory(columns).map(([category, group]) => (
        <section key={category} className={styles.group}>
          <h3 className={styles.category}>
            <CategoryMark name={category} />
            <Bunting
              solved={group.filter(({ id }) => cellOf.get(id) !== CELL.none).length}
              total={group.length}
            />
          </h3>
          <ul className="pn-list">
            {group.map((column) => (
              <Solve key={column.id} row={row} column={column} cell={cellOf.get(column.id) ?? CELL.none} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const SIGNS: readonly Sign[] = ['bare', 'solved', ...BLOODS, 'live']

interface SolveProps {
  readonly row: BoardRow
  readonly column: Column
  readonly cell: number
}

function Solve({ row, column: { id, name }, cell }: SolveProps) {
  const format = useFormat()
  const at = row.solves.find((solve) => solve.id === id)?.solveTime
  const live = row.dynamicScores.find((score) => score.id === id)
  return (
    <li className={styles.solve} data-open={cell === CELL.none || undefined}>
      <Pennant sign={SIGNS[cell] ?? 'bare'} />
      <Link to={paths.challenge(id)}>
        <bdi>{name}</bdi>
      </Link>
      {at !== undefined && <time dateTime={new Date(at).toISOString()}>{format.dateTime(at)}</time>}
      {live && <span className={styles.live}>{format.number(live.points)}</span>}
    </li>
  )
}
