import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { isGood, send } from '../../api/client.ts'
import { bodyOf, DRAFT_FIELDS, draftOf, type Draft, type DraftField } from './draft.ts'
import { changedFields, merge, type Conflict } from './merge.ts'
import { writeChallenge } from './queries.ts'

export interface Work {
  readonly id: string
  /** What the work was begun from. */
  readonly base: Draft
  readonly draft: Draft
}

interface Refused {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
}

export type SaveResult =
  /** Somebody deleted it meanwhile. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  | { readonly kind: 'refused'; readonly answer: Refused }
  | { readonly kind: 'saved'; readonly stored: Draft; readonly taken: readonly DraftField[] }

/**
 * Writes what was changed over what others have made of the challenge meanwhile. `makesAnew`: when it is gone, all of it
 * is written. Throws `RequestFailure` without an answer.
 */
export async function saveDraft({ id, base, draft }: Work, makesAnew: boolean): Promise<SaveResult> {
  const current = await send(readAdminChallengeV2, { params: { id } })
  const isGone = current.kind === 'badChallenge'
  if (isGone && !makesAnew) return { kind: 'gone' }
  if (!isGood(current) && !isGone) return { kind: 'refused', answer: current }
  const theirs = isGood(current) ? draftOf(current.data) : base
  const merged = merge(base, draft, theirs)
  if (merged.conflicts.length > 0) return { kind: 'conflict', conflicts: merged.conflicts }
  const fields = isGone ? DRAFT_FIELDS : changedFields(theirs, merged.draft)
  const answer = await writeChallenge(id, bodyOf(merged.draft, fields))
  if (!isGood(answer)) return { kind: 'refused', answer }
  return { kind: 'saved', stored: draftOf(answer.data), taken: merged.taken }
}
