import {
  goodChallengesV2,
  goodSolvesV2,
  listChallengesV2,
  listSolvesV2,
} from '@pennant/contract/challenges.ts'
import { badChallenge, badPerms, badRateLimit, badUnknownUser } from '@pennant/contract/replies.ts'
import { badAlreadySolvedChallenge, badFlag, goodFlag, submitFlag } from '@pennant/contract/submissions.ts'
import { answer } from './handler.ts'
import type { MockSolve, World } from './world.ts'

// The flag bucket of the contract, participant 6.
const BURST = 5
const TOKEN_MS = 25_000 / BURST
const BLOODS = 3

function solvesOf(world: World, challengeId: string): MockSolve[] {
  return world.solves.filter(
    (solve) => solve.challengeId === challengeId && !world.teams.get(solve.teamId)?.banned,
  )
}

const list = answer(listChallengesV2, ({ world }) =>
  goodChallengesV2(
    [...world.challenges.values()].map(({ id, name, description, category, author, points }) => ({
      id,
      name,
      description,
      category,
      author,
      points,
      files: [],
      solves: solvesOf(world, id).length,
      sortWeight: null,
      instancerLifetime: null,
      instancerExtendable: false,
      adminBotInputs: null,
      hasFlag: true,
      scoringKind: 'decay' as const,
    })),
  ),
)

/** Places on the board by points, then by who solved first at all; counted over teams that are not banned. */
function placesOf(world: World): Map<string, number> {
  const totals = new Map<string, number>()
  for (const { teamId, challengeId } of world.solves) {
    if (world.teams.get(teamId)?.banned) continue
    totals.set(teamId, (totals.get(teamId) ?? 0) + (world.challenges.get(challengeId)?.points ?? 0))
  }
  const ranked = [...totals].sort((left, right) => right[1] - left[1])
  return new Map(ranked.map(([teamId], index) => [teamId, index + 1]))
}

const solves = answer(listSolvesV2, ({ world, team, params, query }) => {
  if (!world.challenges.has(params.id)) return badChallenge()
  const all = solvesOf(world, params.id)
  const places = placesOf(world)
  const rows = all.map(({ id, createdAt, teamId }, index) => {
    const by = world.teams.get(teamId)
    const place = places.get(teamId) ?? 1
    return {
      id,
      createdAt,
      userId: teamId,
      userName: by?.name ?? '',
      userAvatarUrl: null,
      userCountryCode: by?.countryCode ?? null,
      userStatusText: null,
      globalPlace: place,
      // The mock's contest has one division.
      divisionPlace: place,
      division: by?.division ?? '',
      bloodIndex: index < BLOODS ? index : null,
    }
  })
  const page = rows.slice(query.offset, query.offset + query.limit)
  if (!team) return goodSolvesV2({ solves: page })
  const mine = all.findIndex((solve) => solve.teamId === team.id)
  return goodSolvesV2({ solves: page, mySolvePosition: mine < 0 ? null : mine + 1 })
})

/** Takes a token of the bucket `key`. Milliseconds until the next one when there is none; else 0. */
function waitFor(world: World, key: string): number {
  const now = world.now()
  const before = world.buckets.get(key) ?? { tokens: BURST, at: now }
  const tokens = Math.min(BURST, before.tokens + (now - before.at) / TOKEN_MS)
  const isRefused = tokens < 1
  world.buckets.set(key, { tokens: isRefused ? tokens : tokens - 1, at: now })
  return isRefused ? Math.ceil((1 - tokens) * TOKEN_MS) : 0
}

// In the order of the steps of the contract, participant 11.3.
const submit = answer(submitFlag, ({ world, team, params, body }) => {
  if (!team) return badUnknownUser()
  if (team.banned) return badPerms()
  const challenge = world.challenges.get(params.id)
  if (!challenge) return badChallenge()
  const timeLeft = waitFor(world, `${team.id} ${challenge.id}`)
  if (timeLeft > 0) return badRateLimit({ timeLeft })
  if (body.flag !== challenge.flag) return badFlag()
  if (solvesOf(world, params.id).some((solve) => solve.teamId === team.id)) return badAlreadySolvedChallenge()
  const id = `solve-${world.solves.length + 1}`
  world.solves.push({ id, challengeId: params.id, teamId: team.id, createdAt: world.now() })
  return goodFlag()
})

export const challengeEndpoints = [list, solves, submit]
