import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { kindOf } from '../../../api/failure.ts'
import { graphQuery, profileQuery } from '../../../api/queries.ts'
import { useFailure } from '../../../api/use-failure.ts'
import { useGate, useOwnTeam } from '../../../api/use-contest.ts'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { useTimed } from '../../../state/clock.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { Bunting } from '../../../ui/marks/bunting.tsx'
import { CategoryMark } from '../../../ui/marks/category-mark.tsx'
import { Pennant } from '../../../ui/marks/pennant.tsx'
import { ScoreGraph } from '../../../ui/plots/plots.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { byCategory, columnsOf, type Column } from '../table/columns.ts'
import { comparedRow, type ComparedTeam } from './compared-row.ts'
import styles from './comparison.module.css'
import { useLineOf } from '../graph/graph-data.ts'
import { useBoardChallenges } from '../use-board-challenges.ts'

const GRAPH_PX = 200
const NO_FAILURE = { data: null, error: null, failureReason: null }

interface ComparisonProps {
  readonly ids: readonly string[]
  readonly onRemove: (id: string) => void
  /** Closes the comparison and forgets its teams. */
  readonly onClear: () => void
  readonly onClose: () => void
}

/** Two to five teams side by side: scores over time, ranks, categories, and who solved what and when. */
export function Comparison({ ids, onRemove, onClear, onClose }: ComparisonProps) {
  const text = useMessages(scoresMessages)
  const { teams, unknown, isPending, lines, failure: teamFailure } = useCompared(ids)
  const { challenges, failure } = useBoardChallenges()
  const columns = useMemo(() => challenges && columnsOf(challenges, 'category'), [challenges])
  const now = useTimed((at) => Math.ceil(at / MINUTE_MS) * MINUTE_MS)
  return (
    <Dialog
      open
      size="full"
      title={text.comparison}
      onClose={onClose}
      actions={<Button onClick={onClear}>{text.clearComparison}</Button>}
    >
      {unknown > 0 && <p className={styles.note}>{text.unknownTeams(unknown)}</p>}
      {teams.length === 1 && <p className={styles.note}>{text.compareMore}</p>}
      {teamFailure.error !== null && <LoadState failure={teamFailure}>{null}</LoadState>}
      {isPending || !columns ? (
        <LoadState failure={failure}>
          <Skeleton rows={8} height="2.5rem" />
        </LoadState>
      ) : (
        teams.length > 0 && (
          <>
            {lines.length > 0 && (
              <ScoreGraph label={text.graphOf} lines={lines} now={now} height={GRAPH_PX} />
            )}
            <Table teams={teams} columns={columns} onRemove={onRemove} />
          </>
        )
      )}
    </Dialog>
  )
}

/** Profiles and score lines of the teams: two requests for each, both shared with the pages of the teams. */
function useCompared(ids: readonly string[]) {
  const { isEarly } = useGate('leaderboardRead')
  const own = useOwnTeam().team?.id
  const lineOf = useLineOf(own)
  const found = useQueries({ queries: ids.map((id) => profileQuery(id, { bypass: isEarly })) })
  const teams: ComparedTeam[] = []
  let unknown = 0
  for (const [at, { data, error }] of found.entries()) {
    const id = ids[at] ?? ''
    if (data) teams.push({ id, ...data })
    else if (kindOf(error) === 'badUnknownUser') unknown += 1
  }
  const graphs = useQueries({
    queries: teams.map(({ globalPlace }) => ({
      ...graphQuery({ offset: (globalPlace ?? 1) - 1, limit: 1, bypass: isEarly }),
      enabled: globalPlace !== null,
    })),
  })
  // The rank may have changed since, and then the line is another team's.
  const lines = teams.flatMap(({ id }, at) => {
    const line = graphs[at]?.data?.graph.find((each) => each.id === id)
    return line ? [lineOf(line)] : []
  })
  const failed = found.find(
    ({ data, error, failureReason }) =>
      data === undefined &&
      kindOf(failureReason ?? error ?? null) !== 'badUnknownUser' &&
      (failureReason ?? error),
  )
  const failure = useFailure(failed ?? NO_FAILURE)
  const isPending = found.some((query) => query.isPending && query.error === null)
  return { teams, unknown, lines, failure, isPending }
}

interface TableProps {
  readonly teams: readonly ComparedTeam[]
  readonly columns: readonly Column[]
  readonly onRemove: (id: string) => void
}

/** Unix milliseconds of the latest solve; the team has one. */
function lastOf({ solves }: ComparedTeam): number {
  return Math.max(...solves.map(({ createdAt }) => createdAt))
}

function Table({ teams, columns, onRemove }: TableProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const number = (value: number | null) => (value === null ? '–' : format.number(value))
  const facts: readonly (readonly [name: string, of: (team: ComparedTeam) => string])[] = [
    [text.place, ({ globalPlace }) => number(globalPlace)],
    [text.score, ({ score }) => number(score)],
    [text.solves, ({ solves }) => number(solves.length)],
    [text.firstBloods, ({ solves }) => number(solves.filter(({ bloodIndex }) => bloodIndex === 0).length)],
    [text.lastSolve, (team) => (team.solves.length === 0 ? '–' : format.dateTime(lastOf(team)))],
  ]
  return (
    // Scrolls sideways on narrow screens, so it must be reachable with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroller} role="region" aria-label={text.comparison} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            {teams.map(({ id, name, avatarUrl }) => (
              <th key={id} scope="col">
                <span className={styles.team}>
                  <TeamName name={name} teamId={id} avatarUrl={avatarUrl} avatarSize={24} />
                  <IconButton
                    icon="close"
                    label={text.removeFromComparison(name)}
                    onClick={() => onRemove(id)}
                  />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {teams.map((team) => (
                <td key={team.id}>{of(team)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {byCategory(columns).map(([category, group]) => (
          <CategoryRows key={category} category={category} group={group} teams={teams} />
        ))}
      </table>
    </div>
  )
}

interface CategoryRowsProps {
  readonly category: string
  readonly group: readonly Column[]
  readonly teams: readonly ComparedTeam[]
}

/** A row for the category, and one for each challenge that one of the teams has solved. */
function CategoryRows({ category, group, teams }: CategoryRowsProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const rows = group.map((column) => ({ column, cells: comparedRow(column, teams) }))
  return (
    <tbody>
      <tr className={styles.category}>
        <th scope="row">
          <CategoryMark name={category} />
        </th>
        {teams.map(({ id }, at) => {
          const solved = rows.filter(({ cells }) => cells[at]?.isSolved).length
          return (
            <td key={id}>
              <span className={styles.share}>
                {text.categoryShare(format.number(solved), format.number(group.length))}
                <Bunting solved={solved} total={group.length} category={category} hidden />
              </span>
            </td>
          )
        })}
      </tr>
      {rows
        .filter(({ cells }) => cells.some(({ isSolved }) => isSolved))
        .map(({ column: { id, name }, cells }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            {cells.map(({ at, points, isFirst, isSolved }, place) => (
              <td key={teams[place]?.id} data-first={isFirst || undefined}>
                {!isSolved && '–'}
                {at !== null && (
                  <time dateTime={new Date(at).toISOString()}>
                    {isFirst && <Pennant sign="solved" size={14} hidden />}
                    {format.dateTime(at)}
                    {isFirst && <span className="pn-hidden"> {text.firstOfThese}</span>}
                  </time>
                )}
                {points !== null && text.pointsCount(format.number(points))}
              </td>
            ))}
          </tr>
        ))}
    </tbody>
  )
}
