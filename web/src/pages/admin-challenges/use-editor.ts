import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { DRAFT_FIELDS, draftOf, type AdminChallenge, type Draft, type DraftField } from './draft.ts'
import { changedFields, rebased, withFields, type Conflict } from './merge.ts'
import { problemsOf, refusedField, type Problems } from './problems.ts'
import { challengesKey } from './queries.ts'
import { saveDraft, type SaveResult, type Work } from './save-draft.ts'
import { dropDraft, findDraft, keepDraft } from './stored-drafts.ts'
import { useHolds } from './use-holds.ts'
import { words } from './words.ts'

const KEEP_AFTER_MS = 500

/** What came of the last attempt to save. */
export type Outcome =
  | { readonly kind: 'saved'; readonly taken: readonly DraftField[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'gone' }

/** The work on one challenge: what was changed, and how it is saved beside others who change it too. */
export function useEditor(challenge: AdminChallenge, mayWrite: boolean) {
  const { id } = challenge
  const [work, setWork] = useWork(challenge)
  const holds = useHolds()
  const saving = useSaving(setWork, holds.broken)
  const stored = useStored(challenge, work)
  /** Counts how often changes were dropped: what was typed beside the draft goes with them. */
  const [round, setRound] = useState(0)
  /** By a function where changes may come at the same moment. */
  const set = (changes: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => {
    if (!mayWrite) return
    const changesOf = (draft: Draft) => (typeof changes === 'function' ? changes(draft) : changes)
    setWork((old) => ({ ...old, draft: { ...old.draft, ...changesOf(old.draft) } }))
    saving.forget(Object.keys(changesOf(work.draft)))
  }
  /** The decision about each conflict: the draft then builds on what the other has made. */
  const resolve = (chosen: Partial<Draft>) => {
    const others = Object.fromEntries((saving.conflicts ?? []).map(({ field, theirs }) => [field, theirs]))
    const next = { id, base: { ...work.base, ...others }, draft: { ...work.draft, ...chosen } }
    setWork(next)
    void saving.save(next)
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
    ...holds,
    mayWrite,
    round,
    set,
    resolve,
    changed,
    isDirty: changed.length > 0 || holds.broken.length > 0,
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

/** Follows the stored challenge, which may change from the same page: by several at once, or by an import. */
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

/** Saves, and keeps what came of it: problems at their fields, conflicts to decide about. `broken` are not to be saved. */
function useSaving(setWork: SetWork, broken: readonly DraftField[]) {
  const text = useText(words)
  const errorText = useErrorText('change')
  const client = useQueryClient()
  const [problems, setProblems] = useState<Problems>({})
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [conflicts, setConflicts] = useState<readonly Conflict[] | null>(null)
  const [isSaving, setSaving] = useState(false)
  const underway = useRef(false)
  const unreadable = Object.fromEntries(broken.map((field) => [field, text.notJson]))

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
    // What was typed while it was being saved stays, and is not saved yet.
    setWork(({ id, draft }) => ({
      id,
      base: stored,
      draft: withFields(stored, draft, changedFields(sent, draft)),
    }))
    setOutcome({ kind: 'saved', taken })
    void client.invalidateQueries({ queryKey: challengesKey })
  }
  const save = async (from: Work) => {
    if (underway.current) return
    const found = problemsOf(from.draft, text)
    setProblems(found)
    const [why] = Object.values({ ...unreadable, ...found })
    if (why !== undefined) return setOutcome({ kind: 'failed', why })
    underway.current = true
    setSaving(true)
    try {
      settle(await saveDraft(from, outcome?.kind === 'gone'), from.draft)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setOutcome({ kind: 'failed', why: errorText(error) })
    } finally {
      underway.current = false
      setSaving(false)
    }
  }
  const forget = (fields: readonly string[]) => {
    setProblems((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !fields.includes(field))))
    setOutcome((old) => (old?.kind === 'gone' ? old : null))
  }
  return {
    problems: { ...problems, ...unreadable },
    outcome,
    conflicts,
    isSaving,
    save,
    forget,
    cancelResolve: () => setConflicts(null),
  }
}

/** Keeps unsaved work in this browser, forgets it when there is none, and offers what an earlier visit left. */
function useStored(challenge: AdminChallenge, work: Work) {
  const { id } = challenge
  const [found, setFound] = useState(() => findDraft(id))
  const { base, draft } = work
  const isDirty = changedFields(base, draft).length > 0
  const differs = found !== null && changedFields(draftOf(challenge), found.draft).length > 0
  const offered = differs ? found : null
  useEffect(() => {
    if (isDirty) {
      const timer = setTimeout(() => keepDraft({ id, at: Date.now(), base, draft }), KEEP_AFTER_MS)
      return () => clearTimeout(timer)
    }
    // What an earlier visit left is not forgotten before it was decided about.
    if (!differs) dropDraft(id)
  }, [id, base, draft, isDirty, differs])
  const decide = (isWanted: boolean) => {
    if (!isWanted) dropDraft(id)
    setFound(null)
  }
  return { offered, decide }
}
