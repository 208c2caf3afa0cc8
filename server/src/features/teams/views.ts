import type { z } from 'zod'
import type * as contract from '@pennant/contract/teams.ts'
import type { TeamRow } from '../../world/model.ts'
import type { Member } from './members.ts'
import type { ProfileScore, ProfileSolve, TeamRecord } from './profile.ts'
import type { OwnTeam } from './store.ts'

// Rows to wire shapes. Every field is named, so that no column leaves by accident.

export function memberView({ id, teamId, email }: Member): z.input<typeof contract.Member> {
  return { id, userid: teamId, email }
}

export function profileV1(team: TeamRow, record: TeamRecord): z.input<typeof contract.ProfileV1> {
  const { name, division, extrankId } = team
  const { score, globalPlace, divisionPlace } = record
  return {
    name,
    division,
    // Absent, not null, in this version.
    ...(extrankId === null ? {} : { extrankId }),
    score,
    globalPlace,
    divisionPlace,
    solves: record.solves.map(solveV1),
  }
}

export function profileV2(team: TeamRow, record: TeamRecord): z.input<typeof contract.ProfileV2> {
  const { name, division, extrankId, avatarUrl, countryCode, statusText } = team
  const { score, globalPlace, divisionPlace } = record
  return {
    name,
    division,
    extrankId,
    score,
    globalPlace,
    divisionPlace,
    solves: record.solves.map(solveV2),
    dynamicScores: record.dynamicScores.map(dynamicScoreView),
    avatarUrl,
    countryCode,
    statusText,
  }
}

function solveV1(solve: ProfileSolve): z.input<typeof contract.ProfileSolveV1> {
  const { challengeId, name, category, points, solves, createdAt } = solve
  return { id: challengeId, name, category, points, solves, createdAt }
}

function solveV2(solve: ProfileSolve): z.input<typeof contract.ProfileSolveV2> {
  const { challengeId, name, category, points, solves, createdAt, awardedPoints, bloodIndex } = solve
  return { id: challengeId, name, category, points, solves, createdAt, awardedPoints, bloodIndex }
}

function dynamicScoreView({ challengeId, points, pointDelta }: ProfileScore) {
  return { id: challengeId, points, pointDelta }
}

/** What the own profile adds to the public one. */
export interface OwnExtras {
  readonly teamToken: string
  readonly allowedDivisions: readonly string[]
}

export function ownProfileV1(
  team: TeamRow,
  record: TeamRecord,
  { teamToken, allowedDivisions }: OwnExtras,
): z.input<typeof contract.OwnProfileV1> {
  const { id, email, perms } = team
  return {
    ...profileV1(team, record),
    id,
    ...(email === null ? {} : { email }),
    teamToken,
    allowedDivisions: [...allowedDivisions],
    perms,
  }
}

export function ownProfileV2(
  team: TeamRow,
  record: TeamRecord,
  { teamToken, allowedDivisions }: OwnExtras,
): z.input<typeof contract.OwnProfileV2> {
  const { id, email, perms, banned } = team
  return {
    ...profileV2(team, record),
    id,
    email,
    teamToken,
    allowedDivisions: [...allowedDivisions],
    perms,
    banned,
  }
}

export function updatedV1({ name, email, division }: OwnTeam) {
  return { name, email, division }
}

export function updatedV2({ name, email, division, avatarUrl, countryCode, statusText }: OwnTeam) {
  return { name, email, division, avatarUrl, countryCode, statusText }
}
