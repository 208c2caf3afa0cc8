import {
  goodLatestSolves,
  goodLeaderboardChallenges,
  goodGraphV1,
  goodGraphV2,
  goodLeaderboardV1,
  goodLeaderboardV2,
  goodLeaderboardWithGraph,
} from '@pennant/contract/leaderboard.ts'
import { envelopeStart, prepare, preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import { joinBytes } from '../../../lib/join-bytes.ts'
import type { WorldView } from '../../../world/model.ts'
import { graphText } from './graph-text.ts'
import { createRowTexts } from './row-texts.ts'
import { findPage, fineSampleMs, type BoardQuery } from './rules.ts'
import type { Trends } from './trends.ts'
import { boardChallenge, boardRowV1, latestFirstBloods, latestSolves } from './views.ts'

/** Renders leaderboard responses to bytes. */
export interface BoardPages {
  pageV1(world: WorldView, query: BoardQuery): Prepared
  pageV2(world: WorldView, query: BoardQuery): Prepared
  /** As `pageV2`; each row has its trend. */
  pageWithTrends(world: WorldView, query: BoardQuery): Prepared
  pageWithGraph(world: WorldView, query: BoardQuery): Prepared
  graphV1(world: WorldView, query: BoardQuery): Prepared
  graphV2(world: WorldView, query: BoardQuery): Prepared
  /** As `graphV2`, with more points in a short event. */
  fineGraph(world: WorldView, query: BoardQuery): Prepared
}

/** `sampleMs` is the time between points of the graph. */
export function createBoardPages(sampleMs: number, trends: Pick<Trends, 'of'>): BoardPages {
  const texts = createRowTexts()

  function graph(world: WorldView, query: BoardQuery, stepMs = sampleMs): string[] {
    const { teamIds } = findPage(world, query)
    return ['{"graph":[', graphText(world, teamIds, stepMs), ']}']
  }

  return {
    pageV1(world, query) {
      const { total, teamIds } = findPage(world, query)
      return prepare(goodLeaderboardV1({ total, leaderboard: teamIds.map((id) => boardRowV1(world, id)) }))
    },
    pageV2(world, query) {
      const { total, teamIds } = findPage(world, query)
      const rows = texts.rows(world, teamIds)
      return joined(goodLeaderboardV2, [`{"total":${total},"leaderboard":[`, ...rows, ']}'])
    },
    pageWithTrends(world, query) {
      const { total, teamIds } = findPage(world, query)
      const rows = texts.rows(world, teamIds, trends.of(world, teamIds))
      return joined(goodLeaderboardV2, [`{"total":${total},"leaderboard":[`, ...rows, ']}'])
    },
    pageWithGraph(world, query) {
      const { total, teamIds } = findPage(world, query)
      const rows = texts.rows(world, teamIds)
      const lines = graphText(world, teamIds, sampleMs)
      const parts = [`{"total":${total},"leaderboard":[`, ...rows, '],"graph":[', lines, ']}']
      return joined(goodLeaderboardWithGraph, parts)
    },
    graphV1(world, query) {
      return joined(goodGraphV1, graph(world, query))
    },
    graphV2(world, query) {
      return joined(goodGraphV2, graph(world, query))
    },
    fineGraph(world, query) {
      return joined(goodGraphV2, graph(world, query, fineSampleMs(world, sampleMs)))
    },
  }
}

export function prepareBoardChallenges(world: WorldView): Prepared {
  const challenges = world.publicChallenges()
  return prepare(
    goodLeaderboardChallenges({
      challenges: Object.fromEntries(
        challenges.map((challenge) => [challenge.id, boardChallenge(world, challenge)]),
      ),
    }),
  )
}

export function prepareLatestSolves(world: WorldView): Prepared {
  return prepare(goodLatestSolves({ solves: latestSolves(world), firstBloods: latestFirstBloods(world) }))
}

function joined(reply: Parameters<typeof envelopeStart>[0], data: readonly (string | Buffer)[]): Prepared {
  return preparedBytes(joinBytes([envelopeStart(reply), ...data, '}']))
}
