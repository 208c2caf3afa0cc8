import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useConfig, useOwnTeam } from '../../../api/use-contest.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { clockText } from '../../../ui/data/durations.ts'
import { BLOODS, Pennant } from '../../../ui/marks/pennant.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import { Records, TeamCell } from './records.tsx'
import styles from './records.module.css'
import { solveAtQuery, solvesQuery } from './queries.ts'

/** The teams that solved a challenge, oldest first, with the position of the own team. */
export function Solves({ challenge: { id, solves: total } }: { readonly challenge: Challenge }) {
  const text = useMessages(challengesMessages)
  const ownId = useOwnTeam().team?.id
  const query = useInfiniteQuery(solvesQuery(id))
  const solves = query.data?.pages.flatMap((page) => page.solves) ?? []
  const position = query.data?.pages[0]?.mySolvePosition ?? 0
  const isElsewhere = position > solves.length
  const own = useQuery({ ...solveAtQuery(id, position), enabled: isElsewhere }).data
  return (
    <Records
      query={query}
      heads={[text.place, text.team, text.time, text.rankAtSolve]}
      rows={solves.map((solve, at) => (
        <SolveRow key={solve.id} solve={solve} position={at + 1} isOwn={solve.userId === ownId} />
      ))}
      pinned={isElsewhere && own && <SolveRow solve={own} position={position} isOwn />}
      total={total}
      empty={text.noSolves}
    />
  )
}

interface SolveRowProps {
  readonly solve: Parameters<typeof TeamCell>[0]['team'] & {
    readonly createdAt: number
    readonly globalPlace: number
    readonly bloodIndex: number | null
  }
  readonly position: number
  readonly isOwn: boolean
}

function SolveRow({ solve, position, isOwn }: SolveRowProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const start = useConfig()?.startTime ?? 0
  const after = clockText(Math.max(0, solve.createdAt - start))
  const at = format.dateTime(solve.createdAt)
  const iso = new Date(solve.createdAt).toISOString()
  const blood = solve.bloodIndex === null ? undefined : BLOODS[solve.bloodIndex]
  return (
    <tr className={isOwn ? styles.own : undefined}>
      <td>{blood ? <Pennant sign={blood} /> : format.number(position)}</td>
      <td>
        <TeamCell team={solve} />
      </td>
      <td className="pn-nowrap">
        <time dateTime={iso} title={`${text.afterStart(after)}, ${at}`}>
          {after}
        </time>
        <span className={styles.small}>{at}</span>
      </td>
      <td>{solve.globalPlace > 0 ? format.number(solve.globalPlace) : '–'}</td>
    </tr>
  )
}
