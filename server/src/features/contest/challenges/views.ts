import type { BotInput, ChallengeV1, ChallengeV2, SolveV1, SolveV2 } from '@pennant/contract/challenges.ts'
import type { z } from 'zod'
import type { Challenge, WorldView } from '../../../world/model.ts'
import type { Solve } from '../../../world/reads.ts'
import { bloodIndexOf, reportedKind } from './rules.ts'
import { hintCountOf } from '../hints/rows.ts'
import { assistedMark, trackMark } from '../visibility/tracks.ts'

/** Deployment features that challenges can use. */
export interface Abilities {
  readonly instancerEnabled: boolean
  /** Whether the given instancer, or the default one, can stop an instance. */
  readonly canStopInstance: (instancer?: string) => boolean
  readonly adminBotEnabled: boolean
}

export function challengeV1(challenge: Challenge): z.input<typeof ChallengeV1> {
  const { id, name, description, category, author, files, points, solveCount, sortWeight } = challenge
  return {
    id,
    name,
    description,
    category,
    author,
    files: files.map((file) => ({ name: file.name, url: file.url })),
    points,
    solves: solveCount,
    ...(sortWeight === null ? {} : { sortWeight }),
  }
}

/** The entry without the caller's own fields, which `list.ts` inserts. */
export function challengeV2(challenge: Challenge, abilities: Abilities): z.input<typeof ChallengeV2> {
  const { instancerConfig, adminBotConfig, files, sortWeight } = challenge
  const hintCount = hintCountOf(challenge)
  return {
    ...challengeV1(challenge),
    files: files.map((file) => ({ name: file.name, url: file.url, size: file.size ?? null })),
    sortWeight,
    instancerLifetime: abilities.instancerEnabled ? lifetimeOf(instancerConfig) : null,
    instancerExtendable: instancerConfig?.['extendable'] !== false,
    instancerStoppable: abilities.canStopInstance(instancerOf(instancerConfig)),
    instancerActions: [],
    adminBotInputs: abilities.adminBotEnabled ? botInputsOf(adminBotConfig) : null,
    hasFlag: challenge.flags.length > 0,
    scoringKind: reportedKind(challenge.scoringKind),
    tags: [...(challenge.tags ?? [])],
    ...(hintCount > 0 ? { hints: hintCount } : {}),
  }
}

/** What a team learns of a challenge that is locked for it. Prerequisites that it may not see are left out. */
export function lockedV2(
  { id, name, category, points, solveCount, sortWeight, scoringKind, prerequisites = [] }: Challenge,
  shownIds: ReadonlySet<string>,
): z.input<typeof ChallengeV2> {
  return {
    id,
    name,
    description: '',
    category,
    author: '',
    files: [],
    points,
    solves: solveCount,
    sortWeight,
    instancerLifetime: null,
    instancerExtendable: false,
    instancerStoppable: false,
    instancerActions: [],
    adminBotInputs: null,
    hasFlag: false,
    scoringKind: reportedKind(scoringKind),
    tags: [],
    locked: true,
    requires: prerequisites.filter((each) => shownIds.has(each)),
  }
}

function instancerOf(config: Challenge['instancerConfig']): string | undefined {
  const name = config?.['instancer']
  return typeof name === 'string' ? name : undefined
}

function lifetimeOf(config: Challenge['instancerConfig']): number | null {
  const lifetime = config?.['timeoutMilliseconds']
  return typeof lifetime === 'number' ? lifetime : null
}

function botInputsOf(config: Challenge['adminBotConfig']): Record<string, z.input<typeof BotInput>> | null {
  if (!config) return null
  const inputs = Object.entries(
    (config['inputs'] ?? {}) as Record<string, { pattern: string; flags?: string }>,
  )
  return Object.fromEntries(
    inputs.map(([name, { pattern, flags }]) => [
      name,
      flags === undefined ? { pattern } : { pattern, flags },
    ]),
  )
}

export function solveV1(world: WorldView, solve: Solve): z.input<typeof SolveV1> {
  return {
    id: solve.id,
    createdAt: solve.createdAt,
    userId: solve.teamId,
    userName: world.team(solve.teamId)?.name ?? '',
  }
}

export function solveV2(world: WorldView, solve: Solve): z.input<typeof SolveV2> {
  const team = world.team(solve.teamId)
  // A solve that does not count uses the team's current ranks, 0 if it has none.
  const standing = solve.globalRank === null ? world.standing(solve.teamId) : solve
  return {
    ...solveV1(world, solve),
    userAvatarUrl: team?.avatarUrl ?? null,
    userCountryCode: team?.countryCode ?? null,
    userStatusText: team?.statusText ?? null,
    globalPlace: standing.globalRank ?? 0,
    divisionPlace: standing.divisionRank ?? 0,
    division: team?.division ?? '',
    bloodIndex: bloodIndexOf(world.solvesOfChallenge(solve.challengeId), solve.teamId),
    ...trackMark(world, solve.teamId),
    ...assistedMark(world, solve),
  }
}
