import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isGood, send } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { notifyOtherTabs } from '../../api/other-tabs.ts'
import { configQuery } from '../../api/queries.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { unsavedFields } from '../../ui/form.ts'
import { useUiMessages } from '../../ui/ui-messages.ts'
import {
  changesOf,
  isOverridden,
  patchOf,
  savedOf,
  valuesOf,
  type Draft,
  type Key,
  type Values,
} from './draft.ts'
import { settingsQuery, type Both } from './queries.ts'
import { faultsOf, fieldNamed } from './validate.ts'

export type SettingsForm = ReturnType<typeof useSettings>

type Errors = Readonly<Record<string, string>>

/** The draft on top of the saved settings: fields, errors by field, and one save at a time. */
export function useSettings(both: Both) {
  const text = useMessages(adminSettingsMessages)
  const ui = useUiMessages()
  const confirmed = useSuccess(text.saved)
  const { draft, latest, setDraft } = useDraft()
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string>()
  const saving = useMutation({
    mutationFn: useSave(),
    onSuccess: (refusal, sent) => {
      setErrors(refusal?.errors ?? {})
      setFailure(refusal?.failure)
      if (refusal) return
      confirmed.show()
      // Text typed during the save is kept.
      setDraft(unsavedFields(latest.current, sent))
    },
  })
  const saved = savedOf(both)
  const values = valuesOf(saved, draft)
  const changes = changesOf(saved, draft)
  const faults = { ...text.errors, incomplete: ui.incompleteTime }
  const faultTexts = (of: Values): Errors =>
    Object.fromEntries(
      Object.entries(faultsOf(of, saved.defaults)).map(([path, fault]) => [path, faults[fault]]),
    )
  return {
    saved,
    values,
    changes,
    errors,
    failure,
    confirmed,
    busy: saving.isPending,
    isOverridden: (key: Key) => isOverridden(saved, draft, key),
    /**
     * Null resets to the default. Changed fields with errors are validated again. Pass a function to get the
     * latest values regardless of the render, for example when an upload ends late.
     */
    set(wanted: Draft | ((now: Values) => Draft)) {
      const change = typeof wanted === 'function' ? wanted(valuesOf(saved, latest.current)) : wanted
      const next = { ...latest.current, ...change }
      const found = faultTexts(valuesOf(saved, next))
      setDraft(next)
      setFailure(undefined)
      setErrors((now) => stillWrong(now, Object.keys(change), found))
    },
    discard() {
      setDraft({})
      setErrors({})
      setFailure(undefined)
    },
    /** Validates the draft and shows errors at their fields. Returns whether it can be sent. */
    check(): boolean {
      const found = faultTexts(values)
      setErrors(found)
      return Object.keys(found).length === 0
    },
    async save() {
      if (!saving.isPending) await saving.mutateAsync(draft)
    },
  }
}

/** `latest` already contains what the next render will show. */
function useDraft() {
  const [draft, setState] = useState<Draft>({})
  const latest = useRef(draft)
  const setDraft = (next: Draft) => {
    latest.current = next
    setState(next)
  }
  return { draft, latest, setDraft }
}

interface Refusal {
  readonly errors?: Errors
  readonly failure?: string
}

/** Sends a draft and returns why it was not saved, or null. */
function useSave() {
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  return async (draft: Draft): Promise<Refusal | null> => {
    try {
      // Refetch first: someone else may have saved, and the other `meta` field would be reverted.
      const now = savedOf(await queries.fetchQuery({ ...settingsQuery, staleTime: 0 }))
      const response = await send(updateSettings, { body: { data: patchOf(now, changesOf(now, draft)) } })
      if (!isGood(response)) {
        const field = response.kind === 'badBody' ? fieldNamed(reasonOf(response)) : null
        return field === null
          ? { failure: errorText(response) }
          : { errors: { [field]: errorText(response) } }
      }
      queries.setQueryData(settingsQuery.queryKey, response.data)
      notifyOtherTabs()
      await queries.invalidateQueries({ queryKey: configQuery.queryKey })
      return null
    } catch (error) {
      if (error instanceof RequestFailure) return { failure: errorText(error) }
      throw error
    }
  }
}

function reasonOf({ data }: { readonly data?: unknown }): string {
  return (data as { readonly reason?: string } | undefined)?.reason ?? ''
}

/** Updates or clears the errors of changed fields; keeps those of the others. */
function stillWrong(errors: Errors, changed: readonly string[], found: Errors): Errors {
  const isChanged = (path: string) => changed.includes(path.split('.')[0] ?? '')
  const wasWrong = Object.keys(errors).filter(isChanged)
  const others = Object.entries(errors).filter(([path]) => !isChanged(path))
  const again = Object.entries(found).filter(([path]) => wasWrong.includes(path))
  return Object.fromEntries([...others, ...again])
}
