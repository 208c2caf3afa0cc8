import type { z } from 'zod'
import type * as contract from '@pennant/contract/teams.ts'
import type { TeamRow } from '../../../world/model.ts'
import type { Member } from './members.ts'
import type { ProfileScore, ProfileSolve, TeamRecord } from './profile.ts'
import type { OwnTeam } from './store.ts'

// Converts rows to API objects. Fields are listed explicitly, so that no column is exposed by accident.

export function memberView({ id, teamId, email }: Member): z.input<typeof contract.Member> {
  return { id, userid: teamId, email }
}

export function profileV1(team: TeamRow, record: TeamRecord): z.input<typeof contract.ProfileV1> {
  const { name, division, extrankId } = team
  const { score, globalRank, divisionRank } = record
  return {
    name,
    division,
    // V1 omits the field instead of setting it to null.
    ...(extrankId === null ? {} : { extrankId }),
    score,
    globalPlace: globalRank,
    divisionPlace: divisionRank,
    solves: record.solves.map(solveV1),
  }
}

export function profileV2(team: TeamRow, record: TeamRecord): z.input<typeof contract.ProfileV2> {
  const { name, division, extrankId, avatarUrl, countryCode, statusText } = team
  const { score, globalRank, divisionRank } = record
  return {
    name,
    division,
    extrankId,
    score,
    globalPlace: globalRank,
    divisionPlace: divisionRank,
    solves: record.solves.map(solveV2),
    dynamicScores: record.dynamicScores.map(dynamicScoreView),
    avatarUrl,
    countryCode,
    statusText,
  }
}

export function solveV1(solve: ProfileSolve): z.input<typeof contract.ProfileSolveV1> {
  const { challengeId, name, category, points, solves, createdAt } = solve
  return { id: challengeId, name, category, points, solves, createdAt }
}

export function solveV2(solve: ProfileSolve): z.input<typeof contract.ProfileSolveV2> {
  const { challengeId, name, category, points, solves, createdAt, awardedPoints, bloodIndex } = solve
  return { id: challengeId, name, category, points, solves, createdAt, awardedPoints, bloodIndex }
}

function dynamicScoreView({ challengeId, points, pointDelta }: ProfileScore) {
  return { id: challengeId, points, pointDelta }
}

/** Fields that only the team's own profile has. */
export interface OwnExtras {
  readonly teamToken: string
  /** The caller's permissions; 0 if another site acts for the team. */
  readonly perms: number
  readonly allowedDivisions: readonly string[]
  /** Ids of the challenges of which it has bought hints. */
  readonly hintChallenges: readonly string[]
}

export function ownProfileV1(
  team: TeamRow,
  record: TeamRecord,
  { teamToken, perms, allowedDivisions }: OwnExtras,
): z.input<typeof contract.OwnProfileV1> {
  const { id, email } = team
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
  { teamToken, perms, allowedDivisions, hintChallenges }: OwnExtras,
): z.input<typeof contract.OwnProfileV2> {
  const { id, email, banned } = team
  return {
    ...profileV2(team, record),
    id,
    email,
    teamToken,
    allowedDivisions: [...allowedDivisions],
    perms,
    banned,
    ...(hintChallenges.length > 0 && { hintChallenges: [...hintChallenges] }),
  }
}

type OwnSolve = Pick<ProfileSolve, 'challengeId' | 'createdAt' | 'bloodIndex'>

export function ownResults(
  { id, name, division, avatarUrl, countryCode, statusText, banned }: TeamRow,
  record: Omit<TeamRecord, 'solves'> & { readonly solves: readonly OwnSolve[] },
  { perms, hintChallenges }: Pick<OwnExtras, 'perms' | 'hintChallenges'>,
): z.input<typeof contract.OwnResults> {
  const { score, globalRank, divisionRank } = record
  return {
    id,
    name,
    division,
    score,
    globalPlace: globalRank,
    divisionPlace: divisionRank,
    solves: record.solves.map(({ challengeId, createdAt, bloodIndex }) => ({
      id: challengeId,
      createdAt,
      bloodIndex,
    })),
    dynamicScores: record.dynamicScores.map(dynamicScoreView),
    avatarUrl,
    countryCode,
    statusText,
    perms,
    banned,
    ...(hintChallenges.length > 0 && { hintChallenges: [...hintChallenges] }),
  }
}

export function updatedV1({ name, email, division }: OwnTeam) {
  return { name, email, division }
}

export function updatedV2({ name, email, division, avatarUrl, countryCode, statusText }: OwnTeam) {
  return { name, email, division, avatarUrl, countryCode, statusText }
}
