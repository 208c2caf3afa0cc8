import { listScores } from '@pennant/contract/scores.ts'
import { useInfiniteQuery, useQuery, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useOwnTeam } from '../../../api/use-contest.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { requestData } from '../../../api/client.ts'
import { OWN_KEY, PAGE_SIZE } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { Delta } from '../list/delta.tsx'
import { Records, TeamCell } from './records.tsx'
import styles from './records.module.css'

const EVERY_MS = 15_000

/** Ranking of a dynamic challenge by points. */
export function Scores({ id }: { readonly id: string }) {
  const text = useMessages(challengesMessages)
  const ownId = useOwnTeam().team?.id
  const query = useInfiniteQuery(scoresQuery(id))
  const scores = query.data?.pages.flatMap((page) => page.scores) ?? []
  const place = query.data?.pages[0]?.myPlace ?? 0
  const isElsewhere = place > 0 && !scores.some(({ userId }) => userId === ownId)
  const own = useQuery({ ...scoreAtQuery(id, place), enabled: isElsewhere }).data
  return (
    <Records
      query={query}
      heads={[text.place, text.team, text.points, text.change]}
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

/** The teams of a dynamic challenge, best first. */
function scoresQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [OWN_KEY, 'challenge-scores', id, 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const page = { limit: String(PAGE_SIZE), offset: String(pageParam) }
      return requestData(listScores, { params: { id }, query: page }, { signal, asTeam: true })
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * PAGE_SIZE < last.total ? pages.length * PAGE_SIZE : undefined,
    ...refresh(EVERY_MS),
  })
}

/** The team at a rank, starting at 1. */
function scoreAtQuery(id: string, place: number) {
  return queryOptions({
    queryKey: [OWN_KEY, 'challenge-scores', id, 'at', place],
    queryFn: async ({ signal }) => {
      const page = { limit: '1', offset: String(place - 1) }
      const { scores } = await requestData(
        listScores,
        { params: { id }, query: page },
        { signal, asTeam: true },
      )
      return scores[0] ?? null
    },
    ...refresh(EVERY_MS),
  })
}
