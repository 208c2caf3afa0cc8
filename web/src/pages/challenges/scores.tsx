import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { words } from '../../challenge/words.ts'
import { Delta } from './delta.tsx'
import { Records, TeamCell } from './records.tsx'
import styles from './records.module.css'
import { scoreAtQuery, scoresQuery } from './scores-queries.ts'

/** The ranking of a dynamic challenge by points. */
export function Scores({ id }: { readonly id: string }) {
  const text = useText(words)
  const ownId = useOwnTeam().team?.id
  const query = useInfiniteQuery(scoresQuery(id))
  const scores = query.data?.pages.flatMap((page) => page.scores) ?? []
  const place = query.data?.pages[0]?.myPlace ?? 0
  const isElsewhere = place > 0 && !scores.some(({ userId }) => userId === ownId)
  const own = useQuery({ ...scoreAtQuery(id, place), enabled: isElsewhere }).data
  return (
    <Records
      query={query}
      heads={[text.place, text.team, text.score, text.change]}
      rows={scores.map((score) => (
        <ScoreRow key={score.userId} score={score} isOwn={score.userId === ownId} />
      ))}
      pinned={isElsewhere && own && <ScoreRow score={own} isOwn />}
      total={query.data?.pages.at(-1)?.total ?? 0}
      empty={text.noScores}
    />
  )
}

interface ScoreRowProps {
  readonly score: Parameters<typeof TeamCell>[0]['team'] & {
    readonly place: number
    readonly points: number
    readonly pointDelta: number
  }
  readonly isOwn: boolean
}

function ScoreRow({ score, isOwn }: ScoreRowProps) {
  const format = useFormat()
  return (
    <tr className={isOwn ? styles.own : undefined}>
      <td>{format.number(score.place)}</td>
      <td>
        <TeamCell team={score} />
      </td>
      <td>{format.number(score.points)}</td>
      <td>{score.pointDelta === 0 ? '–' : <Delta by={score.pointDelta} />}</td>
    </tr>
  )
}
