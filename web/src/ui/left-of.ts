import { isSame } from './form.ts'

/** What of a draft is still to be saved, once `sent` is: the fields that changed while it was underway. */
export function leftOf<Draft extends object>(draft: Draft, sent: Draft): Draft {
  const left = Object.entries(draft).filter(([key, value]) => !isSame(value, sent[key as keyof Draft]))
  return Object.fromEntries(left) as Draft
}
