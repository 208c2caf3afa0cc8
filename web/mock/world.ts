import type { AdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { MessageOptions } from '@pennant/contract/messages.ts'
import type { AdminAnnouncement } from '@pennant/contract/announcements.ts'
import type { HintRelease } from '@pennant/contract/hints.ts'
import type { AdminScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import type { Settings } from '@pennant/contract/admin-settings.ts'
import type { AuditRow } from '@pennant/contract/admin-submissions.ts'
import type { PendingVerification } from '@pennant/contract/admin-verifications.ts'
import type { ExternalAuthClient } from '@pennant/contract/external-auth.ts'
import type { Incident } from '@pennant/contract/status.ts'
import type { Member } from '@pennant/contract/teams.ts'
import type { Wave } from '@pennant/contract/waves.ts'
import type { z } from 'zod'
import type { MockAction } from './make-actions.ts'
import type { Scenario } from './scenario.ts'

export interface MockTeam {
  readonly id: string
  readonly name: string
  readonly perms: number
  readonly banned: boolean
  readonly division: string
  readonly countryCode: string | null
  readonly statusText: string | null
  readonly avatarUrl: string | null
  readonly email: string | null
  readonly extrankId: string | null
  readonly createdAt: number
}

/** A challenge as organisers see it; the players' view is derived from it. */
export type MockChallenge = z.output<typeof AdminChallengeV2>

/** Its challenges name it. */
export type MockWave = Omit<z.output<typeof Wave>, 'challengeIds'>

export interface MockHint {
  readonly id: string
  readonly challengeId: string
  readonly text: string
  readonly price: number
  readonly release: z.output<typeof HintRelease>
  readonly releasedAt: number | null
  readonly version: number
  /** What each team paid. */
  readonly paid: Map<string, number>
}

export interface MockSolve {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly createdAt: number
}

export interface MockInstance {
  readonly teamId: string
  readonly challengeId: string
  readonly startedAt: number
  readonly endsAt: number
  readonly stoppedAt: number | null
  readonly isBroken: boolean
}

export interface MockJob {
  readonly id: string
  readonly teamId: string
  readonly challengeId: string
  readonly createdAt: number
  readonly isFailing: boolean
}

export interface FeedScore {
  readonly points: number
  readonly pointDelta: number
}

/** The contest in memory. Only handlers change it. */
/** A team's thread with the organisers. */
export interface MockThread {
  readonly id: string
  readonly teamId: string
  readonly challengeId: string | null
  readonly subject: string
  closed: boolean
  assigneeId: string | null
  version: number
  /** How many messages the team has read. */
  read: number
  /** Without an author: of the team. */
  readonly messages: {
    readonly authorId: string | null
    readonly content: string
    readonly createdAt: number
  }[]
}

export interface World {
  /** Newest first. */
  readonly incidents: z.output<typeof Incident>[]
  startTime: number
  endTime: number
  /** The deployment's times; organisers may have overridden them. */
  readonly deployed: { readonly startTime: number; readonly endTime: number }
  readonly isArchived: boolean
  readonly status: Scenario['status']
  readonly now: () => number
  readonly actions: MockAction[]
  readonly teams: Map<string, MockTeam>
  readonly challenges: Map<string, MockChallenge>
  /** Oldest first. At most one per team and challenge. */
  readonly solves: MockSolve[]
  /** Feed scores of dynamic challenges, by challenge and team. */
  readonly feeds: Map<string, Map<string, FeedScore>>
  readonly instances: Map<string, MockInstance>
  readonly jobs: MockJob[]
  readonly members: Map<string, z.output<typeof Member>[]>
  /** Newest first. */
  readonly submissions: z.output<typeof AuditRow>[]
  readonly verifications: z.output<typeof PendingVerification>[]
  readonly clients: z.output<typeof ExternalAuthClient>[]
  /** Newest first. */
  readonly announcements: Omit<z.output<typeof AdminAnnouncement>, 'audienceName'>[]
  readonly waves: MockWave[]
  /** Those of a challenge in their order. */
  readonly hints: MockHint[]
  /** Oldest first. */
  readonly adjustments: z.output<typeof AdminScoreAdjustment>[]
  /** Newest first. */
  readonly threads: MockThread[]
  messageOptions: z.output<typeof MessageOptions>
  settings: z.output<typeof Settings>
  /** Rate limit buckets by team and challenge. */
  readonly buckets: Map<string, { readonly tokens: number; readonly at: number }>
  /** Incremented by each change that affects the standings. */
  version: number
  /** Generates ids. */
  readonly nextId: (kind: string) => string
}

const TOKEN_PREFIX = 'mock.'

/** The bearer token of a team. */
export function tokenOf(teamId: string): string {
  return TOKEN_PREFIX + teamId
}

/** The team of a bearer or team token, or null. */
export function teamOfToken(world: World, token: string): MockTeam | null {
  if (!token.startsWith(TOKEN_PREFIX)) return null
  return world.teams.get(token.slice(TOKEN_PREFIX.length)) ?? null
}

/** Whether players can see the challenge now. */
export function isPublic(world: World, { hidden, releaseTime }: MockChallenge): boolean {
  return !hidden && (releaseTime === null || releaseTime <= world.now())
}

export function publicChallenge(world: World, id: string): MockChallenge | null {
  const challenge = world.challenges.get(id)
  return challenge && isPublic(world, challenge) ? challenge : null
}

export function hasSolved(world: World, teamId: string, challengeId: string): boolean {
  return world.solves.some((solve) => solve.teamId === teamId && solve.challengeId === challengeId)
}

/** Key of a team and a challenge, which share at most one instance. */
export function pairKey(teamId: string, challengeId: string): string {
  return `${teamId} ${challengeId}`
}
