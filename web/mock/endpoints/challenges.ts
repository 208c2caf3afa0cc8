import {
  goodChallengesV2,
  goodSolvesV2,
  listChallengesV2,
  listSolvesV2,
} from '@pennant/contract/challenges.ts'
import { badChallenge, badPerms, badRateLimit, badUnknownUser } from '@pennant/contract/replies.ts'
import { goodChallengeScores, listScores } from '@pennant/contract/scores.ts'
import { badAlreadySolvedChallenge, badFlag, goodFlag, submitFlag } from '@pennant/contract/submissions.ts'
import { on } from '../handler.ts'
import { auditRow } from '../make-audit.ts'
import { countHints } from './hints.ts'
import { addSolve, bloodOf, standingsOf } from '../standings.ts'
import { isPublic, publicChallenge, type MockTeam, type World } from '../world.ts'

// The rate limit of docs/reference/challenges.md#submitting-a-flag
const BURST = 5
const TOKEN_MS = 25_000 / BURST

const list = on(listChallengesV2, ({ world, team }) => {
  const { points, solves } = standingsOf(world)
  const open = [...world.challenges.values()].filter((each) => isPublic(world, each))
  const isSolved = (id: string) => solves.get(id)?.some(({ teamId }) => teamId === team?.id) ?? false
  const ids = new Set(open.map(({ id }) => id))
  return goodChallengesV2(
    open.map((each) => {
      const { id, name, description, category, author, files, sortWeight, instancerConfig } = each
      const { prerequisites = [], lockedShown } = each
      const isLocked = lockedShown === true && !prerequisites.every(isSolved)
      const live = team && world.feeds.get(id)?.get(team.id)
      const hints = countHints(world, id)
      return {
        id,
        name,
        description: isLocked ? '' : description,
        category,
        author,
        files: isLocked ? [] : files,
        points: points.get(id) ?? 0,
        solves: solves.get(id)?.length ?? 0,
        sortWeight,
        instancerLifetime: instancerConfig?.timeoutMilliseconds ?? null,
        instancerExtendable: instancerConfig?.extendable ?? false,
        instancerStoppable: true,
        instancerActions: [],
        adminBotInputs: each.adminBotConfig?.inputs ?? null,
        hasFlag: each.flags.length > 0,
        scoringKind: each.scoring.kind === 'dynamic' ? ('dynamic' as const) : ('decay' as const),
        tags: each.tags,
        ...(hints > 0 && { hints }),
        ...(isLocked && { locked: true as const, requires: prerequisites.filter((other) => ids.has(other)) }),
        ...(live ? { yourScore: live.points, yourPointDelta: live.pointDelta } : {}),
      }
    }),
  )
})

/** A team as it appears in rows of solves and scores. */
function shown(team: MockTeam | undefined) {
  return {
    userName: team?.name ?? '',
    userAvatarUrl: team?.avatarUrl ?? null,
    userCountryCode: team?.countryCode ?? null,
    userStatusText: team?.statusText ?? null,
    division: team?.division ?? '',
  }
}

const solves = on(listSolvesV2, ({ world, team, params, query }) => {
  if (!publicChallenge(world, params.id)) return badChallenge()
  const standings = standingsOf(world)
  const all = standings.solves.get(params.id) ?? []
  const page = all.slice(query.offset, query.offset + query.limit).map((solve) => ({
    id: solve.id,
    createdAt: solve.createdAt,
    userId: solve.teamId,
    ...shown(world.teams.get(solve.teamId)),
    globalPlace: standings.byTeam.get(solve.teamId)?.globalPlace ?? 1,
    divisionPlace: standings.byTeam.get(solve.teamId)?.divisionPlace ?? 1,
    bloodIndex: bloodOf(standings, solve),
  }))
  if (!team) return goodSolvesV2({ solves: page })
  const mine = all.findIndex((solve) => solve.teamId === team.id)
  return goodSolvesV2({ solves: page, mySolvePosition: mine < 0 ? null : mine + 1 })
})

const scores = on(listScores, ({ world, team, params, query }) => {
  if (!publicChallenge(world, params.id)) return badChallenge()
  const all = [...(world.feeds.get(params.id) ?? [])].sort(
    ([, left], [, right]) => right.points - left.points,
  )
  const standings = standingsOf(world)
  const rows = all.map(([userId, score], index) => ({
    userId,
    ...shown(world.teams.get(userId)),
    ...score,
    place: index + 1,
    globalPlace: standings.byTeam.get(userId)?.globalPlace ?? 0,
    divisionPlace: standings.byTeam.get(userId)?.divisionPlace ?? 0,
  }))
  const page = rows.slice(query.offset, query.offset + query.limit)
  const now = Math.min(world.now(), world.endTime)
  const middle = world.startTime + (now - world.startTime) / 2
  const graph = page.map(({ userId, userName, points }) => ({
    id: userId,
    name: userName,
    points: [
      { time: now, score: points },
      { time: Math.round(middle), score: Math.round(points / 3) },
      { time: world.startTime, score: 0 },
    ],
  }))
  const data = { total: rows.length, scores: page, graph }
  if (!team) return goodChallengeScores(data)
  const mine = rows.find(({ userId }) => userId === team.id)
  const place = mine?.place ?? null
  return goodChallengeScores({ ...data, myPlace: place, myPosition: place })
})

/** Takes a token of the bucket `key`. Returns the milliseconds until the next one if it is empty, else 0. */
function waitFor(world: World, key: string): number {
  const now = world.now()
  const before = world.buckets.get(key) ?? { tokens: BURST, at: now }
  const tokens = Math.min(BURST, before.tokens + (now - before.at) / TOKEN_MS)
  const isRefused = tokens < 1
  world.buckets.set(key, { tokens: isRefused ? tokens : tokens - 1, at: now })
  return isRefused ? Math.ceil((1 - tokens) * TOKEN_MS) : 0
}

// The checks run in the order of docs/reference/challenges.md#submitting-a-flag
const submit = on(submitFlag, ({ world, team, params, body }) => {
  if (!team) return badUnknownUser()
  if (team.banned) return badPerms()
  const challenge = publicChallenge(world, params.id)
  if (!challenge) return badChallenge()
  const timeLeft = waitFor(world, `${team.id} ${challenge.id}`)
  if (timeLeft > 0) return badRateLimit({ timeLeft })
  const isRight = challenge.flag !== '' && body.flag === challenge.flag
  const solve = isRight ? addSolve(world, team.id, challenge.id) : null
  const result = solve ? 'correct' : isRight ? 'already_solved' : 'incorrect'
  const attempt = { team, challengeId: challenge.id, result, createdAt: world.now() } as const
  const details = { submittedFlag: body.flag }
  world.submissions.unshift(auditRow(world, { ...attempt, details, relatedId: solve?.id ?? null }))
  if (!isRight) return badFlag()
  return solve ? goodFlag() : badAlreadySolvedChallenge()
})

export const challengeEndpoints = [list, solves, scores, submit]
