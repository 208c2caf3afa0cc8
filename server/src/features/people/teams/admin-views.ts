import type { AdminTeam, AdminTeamDetail } from '@pennant/contract/admin-teams.ts'
import type { z } from 'zod'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { solveCountOf } from './admin-list.ts'

// Converts rows to API objects. Fields are listed explicitly, so that no column is exposed by accident.

export function adminTeamView(world: WorldView, team: TeamRow): z.input<typeof AdminTeam> {
  const { id, name, email, division, perms, banned, avatarUrl, countryCode, statusText } = team
  return {
    id,
    name,
    email,
    division,
    perms,
    banned,
    score: world.standing(id).score,
    solveCount: solveCountOf(world, id),
    avatarUrl,
    countryCode,
    statusText,
    createdAt: isoTime(team.createdAt),
  }
}

export function adminTeamDetail(world: WorldView, team: TeamRow): z.input<typeof AdminTeamDetail> {
  const rows = [
    ...world.solvesOfTeam(team.id).map(({ challengeId, createdAt }) => ({ challengeId, at: createdAt })),
    ...world.feedScoresOfTeam(team.id).map(({ challengeId, scoredAt }) => ({ challengeId, at: scoredAt })),
  ]
  const solves = rows
    .sort((a, b) => a.at - b.at)
    .map(({ challengeId, at }) => {
      const challenge = world.challenge(challengeId)
      return {
        challengeId,
        challengeName: challenge?.name ?? challengeId,
        challengeCategory: challenge?.category ?? '',
        createdAt: isoTime(at),
      }
    })
  return { ...adminTeamView(world, team), solves, ...(team.tokenOff && { tokenOff: true as const }) }
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}
