import { goodChallengeScores, type ScoreRow } from '@pennant/contract/scores.ts'
import type { z } from 'zod'
import { etagOf, prepare, preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import type { WorldView } from '../../../world/model.ts'
import type { RankedScore } from '../../../world/reads.ts'

export interface ScorePage {
  readonly challengeId: string
  readonly offset: number
  readonly limit: number
  /** Time between points of the graph. */
  readonly sampleMs: number
}

/** A page of the ranking without the caller's own fields. */
export function prepareScores(world: WorldView, page: ScorePage): Prepared {
  const { challengeId, offset, limit, sampleMs } = page
  const ranking = world.scoresOfChallenge(challengeId)
  const rows = ranking.slice(offset, limit)
  const lines = ranking.graph(
    rows.map(({ teamId }) => teamId),
    sampleMs,
  )
  return prepare(
    goodChallengeScores({
      total: ranking.length,
      scores: rows.map((row) => scoreRow(world, row)),
      graph: rows.map(({ teamId }, index) => ({
        id: teamId,
        name: world.team(teamId)?.name ?? '',
        points: [...(lines[index] ?? [])],
      })),
    }),
  )
}

function scoreRow(world: WorldView, { teamId, points, delta, rank }: RankedScore): z.input<typeof ScoreRow> {
  const team = world.team(teamId)
  const { globalRank, divisionRank } = world.standing(teamId)
  return {
    userId: teamId,
    userName: team?.name ?? '',
    userAvatarUrl: team?.avatarUrl ?? null,
    userCountryCode: team?.countryCode ?? null,
    userStatusText: team?.statusText ?? null,
    division: team?.division ?? '',
    points,
    pointDelta: delta ?? 0,
    place: rank,
    globalPlace: globalRank ?? 0,
    divisionPlace: divisionRank ?? 0,
  }
}

/** Inserts the caller's own rank. For anonymous callers the fields are absent, not null, as for solves. */
export function withRank({ body, etag }: Prepared, rank: number | null): Prepared {
  const own = `,"myPlace":${rank},"myPosition":${rank}`
  const closing = '}}'
  const start = body.subarray(0, body.length - closing.length)
  return preparedBytes(Buffer.concat([start, Buffer.from(own + closing)]), etagOf(etag + own))
}
