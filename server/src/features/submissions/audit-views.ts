import { goneCategory, goneDivision, type AuditRow } from '@pennant/contract/admin-submissions.ts'
import type { z } from 'zod'
import type { WorldView } from '../../world/model.ts'
import type { Submitted } from './audit-store.ts'

/** Names are those of today; what is deleted is called by its id. */
export function auditView(world: WorldView, row: Submitted): z.input<typeof AuditRow> {
  const { id, kind, challengeId, teamId, ip, result, details, relatedId, createdAt } = row
  const challenge = world.challenge(challengeId)
  const team = world.team(teamId)
  return {
    id,
    kind,
    challengeId,
    challengeName: challenge?.name ?? challengeId,
    challengeCategory: challenge?.category ?? goneCategory,
    userId: teamId,
    userName: team?.name ?? teamId,
    userDivision: team?.division ?? goneDivision,
    userAvatarUrl: team?.avatarUrl ?? null,
    userCountryCode: team?.countryCode ?? null,
    userStatusText: team?.statusText ?? null,
    userBanned: team?.banned ?? false,
    ip,
    result,
    details,
    relatedId,
    createdAt: new Date(createdAt).toISOString(),
  }
}
