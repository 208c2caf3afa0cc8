import { isSame } from '../../../ui/form.ts'
import { DRAFT_FIELDS, type Draft, type DraftField } from '../draft.ts'

export interface Conflict {
  readonly field: DraftField
  readonly yours: Draft[DraftField]
  readonly theirs: Draft[DraftField]
}

export interface Merge {
  /** Your changes applied over theirs; a conflicting field keeps your value. */
  readonly draft: Draft
  readonly conflicts: readonly Conflict[]
  /** Fields that only someone else changed. */
  readonly taken: readonly DraftField[]
}

export function changedFields(before: Draft, after: Draft): DraftField[] {
  return DRAFT_FIELDS.filter((field) => !isSame(before[field], after[field]))
}

/** Three-way merge. Identical changes to a field do not conflict. */
export function merge(base: Draft, yours: Draft, theirs: Draft): Merge {
  const own = new Set(changedFields(base, yours))
  const others = changedFields(base, theirs)
  const conflicts = others
    .filter((field) => own.has(field) && !isSame(yours[field], theirs[field]))
    .map((field) => ({ field, yours: yours[field], theirs: theirs[field] }))
  return {
    draft: withFields(theirs, yours, [...own]),
    conflicts,
    taken: others.filter((field) => !own.has(field)),
  }
}

/** Returns `target` with these fields taken from `source`. */
export function withFields(target: Draft, source: Draft, fields: readonly DraftField[]): Draft {
  return { ...target, ...Object.fromEntries(fields.map((field) => [field, source[field]])) }
}

/** Edits based on one version of the challenge, to be rebased onto a newer one. */
interface Begun {
  readonly base: Draft
  readonly draft: Draft
}

/**
 * Merges the newly stored version, except for conflicting fields: they keep the old base, so that saving asks
 * about them.
 */
export function rebased<Work extends Begun>(work: Work, stored: Draft): Work {
  if (changedFields(work.base, stored).length === 0) return work
  const { draft, conflicts } = merge(work.base, work.draft, stored)
  const open = conflicts.map(({ field }) => field)
  return { ...work, base: withFields(stored, work.base, open), draft }
}
