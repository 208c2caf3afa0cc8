import type { BotInput, ChallengeV1, ChallengeV2, SolveV1, SolveV2 } from '@pennant/contract/challenges.ts'
import type { z } from 'zod'
import type { Challenge, Solve, WorldView } from '../../world/model.ts'
import { bloodIndexOf, reportedKind } from './rules.ts'

/** What the deployment can do for challenges that ask for it. */
export interface Abilities {
  readonly instancerEnabled: boolean
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

/** The entry as everybody gets it. What belongs to a caller is put behind it (`list.ts`). */
export function challengeV2(challenge: Challenge, abilities: Abilities): z.input<typeof ChallengeV2> {
  const { id, name, description, category, author, files, points, solveCount, sortWeight } = challenge
  const { instancerConfig, adminBotConfig } = challenge
  return {
    id,
    name,
    description,
    category,
    author,
    files: files.map((file) => ({ name: file.name, url: file.url, size: file.size ?? null })),
    points,
    solves: solveCount,
    sortWeight,
    instancerLifetime: abilities.instancerEnabled ? lifetimeOf(instancerConfig) : null,
    instancerExtendable: instancerConfig?.['extendable'] !== false,
    adminBotInputs: abilities.adminBotEnabled ? botInputsOf(adminBotConfig) : null,
    hasFlag: challenge.flags.length > 0,
    scoringKind: reportedKind(challenge.scoringKind),
  }
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

/** `position` is the solve's place among all solves of the challenge, from 0. */
export function solveV2(world: WorldView, solve: Solve, position: number): z.input<typeof SolveV2> {
  const team = world.team(solve.teamId)
  // Until the places at solve time are recorded the present ones stand in, 0 for none (ruling 13).
  const standing = solve.globalPlace === null ? world.standing(solve.teamId) : solve
  return {
    ...solveV1(world, solve),
    userAvatarUrl: team?.avatarUrl ?? null,
    userCountryCode: team?.countryCode ?? null,
    userStatusText: team?.statusText ?? null,
    globalPlace: standing.globalPlace ?? 0,
    divisionPlace: standing.divisionPlace ?? 0,
    division: team?.division ?? '',
    bloodIndex: bloodIndexOf(position),
  }
}
