import { GONE_CATEGORY, GONE_DIVISION, type AuditRow } from '@pennant/contract/admin-submissions.ts'
import type { z } from 'zod'
import { acting, type PersonName } from '../../../lib/acting-person.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Submitted } from './audit-store.ts'

/** Uses current names. Deleted challenges and teams are shown by their id. */
export function auditView(
  world: WorldView,
  row: Submitted,
  personName: PersonName,
): z.input<typeof AuditRow> {
  const { id, kind, challengeId, teamId, ip, result, details, relatedId, createdAt } = row
  const challenge = world.challenge(challengeId)
  const team = world.team(teamId)
  const cheatedFromId = typeof details['cheatedFrom'] === 'string' ? details['cheatedFrom'] : null
  return {
    id,
    kind,
    challengeId,
    challengeName: challenge?.name ?? challengeId,
    challengeCategory: challenge?.category ?? GONE_CATEGORY,
    userId: teamId,
    userName: team?.name ?? teamId,
    userDivision: team?.division ?? GONE_DIVISION,
    userAvatarUrl: team?.avatarUrl ?? null,
    userCountryCode: team?.countryCode ?? null,
    userStatusText: team?.statusText ?? null,
    userBanned: team?.banned ?? false,
    ...acting(row, personName),
    ip,
    result,
    details,
    cheatedFromId,
    cheatedFromName: cheatedFromId && (world.team(cheatedFromId)?.name ?? cheatedFromId),
    relatedId,
    createdAt: new Date(createdAt).toISOString(),
  }
}
