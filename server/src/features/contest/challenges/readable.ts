import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { ChallengeRow } from '../../../world/model.ts'

/** A challenge as a caller may read it. `scoringSecret` is undefined if there is one that the caller may not read. */
export type ReadableChallenge = Omit<ChallengeRow, 'scoringSecret'> & {
  readonly scoringSecret: string | null | undefined
}

/**
 * Removes what a caller with these permissions must not read although it may read the challenge: the secret of pushed scores is
 * as good as the permission to set any score. Every view, archive and export of a challenge passes through here.
 */
export function readableBy(perms: number, row: ChallengeRow): ReadableChallenge {
  if (!row.scoringSecret || hasPermissions(perms, ['challsWrite'])) return row
  return { ...row, scoringSecret: undefined }
}
