import type { OwnResults } from '@pennant/contract/teams.ts'
import { useQueries } from '@tanstack/react-query'
import type { z } from 'zod'
import { boardQuery, PAGE_SIZE } from '../../../api/queries.ts'
import { useGate, useIsOver } from '../../../api/use-contest.ts'
import { useOwnTrend } from '../../../api/use-own-trend.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { Movement } from '../../../ui/marks/movement.tsx'
import { Sparkline } from '../../../ui/plots/sparkline.tsx'
import { solveCount } from './columns.ts'
import { pagesOf } from '../pages-of.ts'
import { gapsOf } from './row-changes.ts'
import own from './own-row.module.css'
import styles from '../scores.module.css'
import type { Board, BoardRow } from '../use-board.ts'

const EVERY_MS = 30_000

interface OwnRowProps {
  readonly team: z.output<typeof OwnResults>
  readonly board: Pick<Board, 'placeOf'>
  readonly division: string | undefined
  /** Index in the scoreboard; null if the team is not listed. */
  readonly row: number | null
  readonly onJump: () => void
}

/** The own team while its row is out of view: rank, and the gaps to its neighbours. */
export function OwnRow({ team, board, division, row, onJump }: OwnRowProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const isOver = useIsOver()
  const trend = useOwnTrend()
  const count = solveCount(team)
  const solves = format.number(count)
  const isForeign = division !== undefined && division !== team.division
  const place = division === undefined || isForeign ? team.globalPlace : team.divisionPlace
  return (
    <section className={own.row} aria-label={text.yourTeam}>
      {place === null ? (
        <span className={own.unplaced}>
          {team.banned ? text.banned : text.unranked[isOver ? 'over' : 'yet']}
        </span>
      ) : (
        <span className={own.place}>
          <span className={styles.number}>{format.number(place)}</span>
          {trend && (
            <Movement
              change={
                division === undefined || isForeign ? trend.globalPlaceChange : trend.divisionPlaceChange
              }
            />
          )}
        </span>
      )}
      <span className={own.team}>
        <TeamName name={team.name} teamId={team.id} avatarUrl={team.avatarUrl} />
        {isForeign && <span className={styles.status}>{text.otherDivision}</span>}
        {row !== null && <Gaps id={team.id} row={row} division={division} placeOf={board.placeOf} />}
      </span>
      <span className={own.trend}>
        {trend && <Sparkline scores={trend.scores} width={124} height={26} hasArea />}
      </span>
      <span className={cx(styles.end, styles.solves, own.solves)}>
        <span aria-hidden="true">{solves}</span>
        <span className="pn-hidden">{text.solvesOf(count, solves)}</span>
      </span>
      <span className={cx(styles.end, styles.score)}>{format.number(team.score)}</span>
      {row !== null && <Button onClick={onJump}>{text.jump}</Button>}
    </section>
  )
}

interface GapsProps {
  readonly id: string
  readonly row: number
  readonly division: string | undefined
  readonly placeOf: (row: BoardRow) => number | null
}

function Gaps({ id, row, division, placeOf }: GapsProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const { isEarly } = useGate('leaderboardRead')
  const pages = pagesOf({ from: Math.max(0, row - 1), to: row + 2 }, PAGE_SIZE)
  const results = useQueries({
    queries: pages.map((page) => boardQuery({ division, page, everyMs: EVERY_MS, bypass: isEarly })),
  })
  const rows = results.flatMap(({ data, isPlaceholderData }) =>
    isPlaceholderData ? [] : (data?.leaderboard ?? []),
  )
  const standings = rows.map((each) => ({ id: each.id, place: placeOf(each) ?? 0, score: each.score }))
  const { above, below } = gapsOf(standings, id)
  return (
    <span className={own.gaps}>
      {above !== null && <span>{text.behind(format.number(above))}</span>}
      {below !== null && <span>{text.ahead(format.number(below))}</span>}
    </span>
  )
}
