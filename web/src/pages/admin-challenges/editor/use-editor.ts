import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { RequestFailure } from '../../../api/failure.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useErrorText, useMessages } from '../../../text/messages.ts'
import { useSuccess } from '../../../ui/buttons/use-success.ts'
import { isGood, send } from '../../../api/client.ts'
import { DRAFT_FIELDS, draftOf, bodyOf, type AdminChallenge, type Draft, type DraftField } from '../draft.ts'
import { changedFields, rebased, withFields, merge, type Conflict } from './merge.ts'
import { problemsOf, refusedField, type Problems } from './problems.ts'
import { challengesKey, writeChallenge } from '../queries.ts'
import { dropDraft, findDraft, storeDraft } from './stored-drafts.ts'

const KEEP_AFTER_MS = 500

/** Result of the last attempt to save. */
export type Outcome =
  | { readonly kind: 'saved'; readonly taken: readonly DraftField[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'gone' }

/** Edits of one challenge, and saving them alongside concurrent edits by others. */
export function useEditor(challenge: AdminChallenge, mayWrite: boolean) {
  const { id } = challenge
  const [work, setWork] = useWork(challenge)
  const blockers = useSaveBlockers()
  const saving = useSaving(setWork, blockers.broken)
  const stored = useStored(challenge, work)
  /** Incremented when changes are discarded, which also resets text typed outside the draft. */
  const [round, setRound] = useState(0)
  /** Pass a function if several changes can happen at the same time. */
  const set = (changes: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => {
    if (!mayWrite) return
    const changesOf = (draft: Draft) => (typeof changes === 'function' ? changes(draft) : changes)
    setWork((old) => ({ ...old, draft: { ...old.draft, ...changesOf(old.draft) } }))
    saving.forget(Object.keys(changesOf(work.draft)))
  }
  /** Resolves the conflicts: the draft is then based on the other version. */
  const resolve = (chosen: Partial<Draft>) => {
    const others = Object.fromEntries((saving.conflicts ?? []).map(({ field, theirs }) => [field, theirs]))
    const next = { id, base: { ...work.base, ...others }, draft: { ...work.draft, ...chosen } }
    setWork(next)
    saving.save(next)
  }
  const revert = () => {
    setWork(begun(challenge))
    setRound(round + 1)
    saving.forget(DRAFT_FIELDS)
  }
  const changed = changedFields(work.base, work.draft)
  return {
    ...work,
    ...saving,
    ...blockers,
    mayWrite,
    round,
    set,
    resolve,
    changed,
    isDirty: changed.length > 0 || blockers.broken.length > 0,
    save: () => saving.save(work),
    revert,
    offered: stored.offered,
    takeOffered(isWanted: boolean) {
      if (isWanted && stored.offered) setWork({ id, base: stored.offered.base, draft: stored.offered.draft })
      stored.decide(isWanted)
    },
  }
}

export type Editor = ReturnType<typeof useEditor>

function begun(challenge: AdminChallenge): Work {
  return { id: challenge.id, base: draftOf(challenge), draft: draftOf(challenge) }
}

/** Tracks the stored challenge, which bulk actions or an import on the same page can change. */
function useWork(challenge: AdminChallenge) {
  const [work, setWork] = useState(() => begun(challenge))
  const [seen, setSeen] = useState(challenge)
  if (seen !== challenge) {
    setSeen(challenge)
    setWork(rebased(work, draftOf(challenge)))
  }
  return [work, setWork] as const
}

type SetWork = (change: (old: Work) => Work) => void

/** Saves and keeps the result: errors by field, and conflicts to resolve. `broken` fields block saving. */
function useSaving(setWork: SetWork, broken: readonly DraftField[]) {
  const text = useMessages(adminChallengesMessages)
  const errorText = useErrorText('change')
  const client = useQueryClient()
  const [problems, setProblems] = useState<Problems>({})
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const confirmed = useSuccess(text.saved)
  const [conflicts, setConflicts] = useState<readonly Conflict[] | null>(null)
  const unreadable = Object.fromEntries(broken.map((field) => [field, text.badJson]))

  const settle = (result: SaveResult, sent: Draft) => {
    setConflicts(result.kind === 'conflict' ? result.conflicts : null)
    if (result.kind === 'conflict') return
    if (result.kind === 'gone') return setOutcome(result)
    if (result.kind === 'refused') {
      const why = errorText(result.answer)
      const field = refusedField(result.answer)
      if (field) setProblems({ [field]: why })
      return setOutcome({ kind: 'failed', why })
    }
    const { stored, taken } = result
    // Text typed during the save is kept as unsaved.
    setWork(({ id, draft }) => ({
      id,
      base: stored,
      draft: withFields(stored, draft, changedFields(sent, draft)),
    }))
    setOutcome({ kind: 'saved', taken })
    confirmed.show()
    void client.invalidateQueries({ queryKey: challengesKey })
  }
  const saving = useMutation({
    mutationFn: (from: Work) => saveDraft(from, outcome?.kind === 'gone'),
    onSuccess: (result, sent) => settle(result, sent.draft),
    onError: (error) => {
      if (error instanceof RequestFailure) setOutcome({ kind: 'failed', why: errorText(error) })
    },
  })
  const save = (from: Work) => {
    if (saving.isPending) return
    const found = problemsOf(from.draft, text)
    setProblems(found)
    const [why] = Object.values({ ...unreadable, ...found })
    if (why !== undefined) return setOutcome({ kind: 'failed', why })
    saving.mutate(from)
  }
  const forget = (fields: readonly string[]) => {
    setProblems((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !fields.includes(field))))
    setOutcome((old) => (old?.kind === 'gone' ? old : null))
  }
  return {
    problems: { ...problems, ...unreadable },
    outcome,
    confirmed,
    conflicts,
    isSaving: saving.isPending,
    save,
    forget,
    cancelResolve: () => setConflicts(null),
  }
}

/** Blocks saving for edits that are not in the draft: invalid JSON and running uploads. */
function useSaveBlockers() {
  const [counts, setCounts] = useState<Partial<Readonly<Record<DraftField, number>>>>({})
  const [isSending, setSending] = useState(false)
  const count = useCallback(
    (field: DraftField, by: 1 | -1) =>
      setCounts((old) => ({ ...old, [field]: Math.max(0, (old[field] ?? 0) + by) })),
    [],
  )
  const broken = Object.entries(counts).flatMap(([field, times]) => (times > 0 ? [field as DraftField] : []))
  return { broken, isSending, setSending, count }
}

/**
 * Stores unsaved edits in this browser, deletes them once there are none, and offers those of an earlier
 * visit.
 */
function useStored(challenge: AdminChallenge, work: Work) {
  const { id } = challenge
  const [found, setFound] = useState(() => findDraft(id))
  const { base, draft } = work
  const isDirty = changedFields(base, draft).length > 0
  const differs = found !== null && changedFields(draftOf(challenge), found.draft).length > 0
  const offered = differs ? found : null
  useEffect(() => {
    if (isDirty) {
      const timer = setTimeout(() => storeDraft({ id, at: Date.now(), base, draft }), KEEP_AFTER_MS)
      return () => clearTimeout(timer)
    }
    // Keep the draft of an earlier visit until the user decides about it.
    if (!differs) dropDraft(id)
  }, [id, base, draft, isDirty, differs])
  const decide = (isWanted: boolean) => {
    if (!isWanted) dropDraft(id)
    setFound(null)
  }
  return { offered, decide }
}

interface Work {
  readonly id: string
  /** The version that the edits are based on. */
  readonly base: Draft
  readonly draft: Draft
}

interface Refused {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
}

type SaveResult =
  /** Someone else deleted the challenge. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  | { readonly kind: 'refused'; readonly answer: Refused }
  | { readonly kind: 'saved'; readonly stored: Draft; readonly taken: readonly DraftField[] }

/**
 * Saves the changed fields on top of changes by others. `recreates`: if the challenge was deleted, creates it
 * again with all fields. Throws `RequestFailure` if there is no response.
 */
async function saveDraft({ id, base, draft }: Work, recreates: boolean): Promise<SaveResult> {
  const current = await send(readAdminChallengeV2, { params: { id } })
  const isGone = current.kind === 'badChallenge'
  if (isGone && !recreates) return { kind: 'gone' }
  if (!isGood(current) && !isGone) return { kind: 'refused', answer: current }
  const theirs = isGood(current) ? draftOf(current.data) : base
  const merged = merge(base, draft, theirs)
  if (merged.conflicts.length > 0) return { kind: 'conflict', conflicts: merged.conflicts }
  const fields = isGone ? DRAFT_FIELDS : changedFields(theirs, merged.draft)
  const answer = await writeChallenge(id, bodyOf(merged.draft, fields))
  if (!isGood(answer)) return { kind: 'refused', answer }
  return { kind: 'saved', stored: draftOf(answer.data), taken: merged.taken }
}
