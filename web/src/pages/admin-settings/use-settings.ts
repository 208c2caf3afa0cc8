import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isGood, send } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { tellOtherTabs } from '../../api/other-tabs.ts'
import { configQuery } from '../../api/queries.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { leftOf } from '../../ui/left-of.ts'
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
import { words } from './words.ts'
import { faultsOf, fieldNamed } from './wrong.ts'

export type SettingsForm = ReturnType<typeof useSettings>

type Errors = Readonly<Record<string, string>>

/** The draft over what is saved: fields, errors by field, and one save at a time. */
export function useSettings(both: Both) {
  const text = useText(words)
  const sendDraft = useSave()
  const { draft, latest, setDraft } = useDraft()
  const [errors, setErrors] = useState<Errors>({})
  const [said, setSaid] = useState<Said>({})
  const [busy, setBusy] = useState(false)
  const saved = savedOf(both)
  const values = valuesOf(saved, draft)
  const changes = changesOf(saved, draft)
  const faultTexts = (of: Values): Errors =>
    Object.fromEntries(Object.entries(faultsOf(of)).map(([path, fault]) => [path, text.faults[fault]]))
  return {
    saved,
    values,
    changes,
    errors,
    said,
    busy,
    isOverridden: (key: Key) => isOverridden(saved, draft, key),
    /**
     * Null: the default. What was wrong is looked at again. A function is given the newest values, whichever render it
     * comes from: uploads end late.
     */
    set(wanted: Draft | ((now: Values) => Draft)) {
      const change = typeof wanted === 'function' ? wanted(valuesOf(saved, latest.current)) : wanted
      const next = { ...latest.current, ...change }
      const found = faultTexts(valuesOf(saved, next))
      setDraft(next)
      setSaid({})
      setErrors((now) => stillWrong(now, Object.keys(change), found))
    },
    discard() {
      setDraft({})
      setErrors({})
      setSaid({})
    },
    /** Whether it may be sent; else the errors stand at their fields. */
    check(): boolean {
      const found = faultTexts(values)
      setErrors(found)
      return Object.keys(found).length === 0
    },
    async save() {
      if (busy) return
      setBusy(true)
      const { errors: refused = {}, ...outcome } = await sendDraft(draft)
      setBusy(false)
      setErrors(refused)
      setSaid(outcome)
      // What was typed meanwhile stays.
      if (outcome.done !== undefined) setDraft(leftOf(latest.current, draft))
    },
  }
}

/** `latest` holds at once what the next render shows. */
function useDraft() {
  const [draft, setState] = useState<Draft>({})
  const latest = useRef(draft)
  const setDraft = (next: Draft) => {
    latest.current = next
    setState(next)
  }
  return { draft, latest, setDraft }
}

interface Said {
  readonly done?: string
  readonly failure?: string
}

/** Sends a draft: what came of it, in words. */
function useSave() {
  const text = useText(words)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  return async (draft: Draft): Promise<Said & { readonly errors?: Errors }> => {
    try {
      // Somebody else may have saved meanwhile: of `meta` the other half would go back.
      const now = savedOf(await queries.fetchQuery({ ...settingsQuery, staleTime: 0 }))
      const answer = await send(updateSettings, { body: { data: patchOf(now, changesOf(now, draft)) } })
      if (!isGood(answer)) {
        const field = answer.kind === 'badBody' ? fieldNamed(reasonOf(answer)) : null
        return field === null ? { failure: errorText(answer) } : { errors: { [field]: errorText(answer) } }
      }
      queries.setQueryData(settingsQuery.queryKey, answer.data)
      tellOtherTabs()
      await queries.invalidateQueries({ queryKey: configQuery.queryKey })
      return { done: text.saved }
    } catch (error) {
      if (error instanceof RequestFailure) return { failure: errorText(error) }
      throw error
    }
  }
}

function reasonOf({ data }: { readonly data?: unknown }): string {
  return (data as { readonly reason?: string } | undefined)?.reason ?? ''
}

/** Errors of changed fields, told anew; those of others stay. */
function stillWrong(errors: Errors, changed: readonly string[], found: Errors): Errors {
  const isChanged = (path: string) => changed.includes(path.split('.')[0] ?? '')
  const wasWrong = Object.keys(errors).filter(isChanged)
  const others = Object.entries(errors).filter(([path]) => !isChanged(path))
  const again = Object.entries(found).filter(([path]) => wasWrong.includes(path))
  return Object.fromEntries([...others, ...again])
}
