import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete'
import { javascript, typescriptLanguage } from '@codemirror/lang-javascript'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { placeAt, type Place } from './typescript-place.ts'

/** A completion with its description. */
export interface Offer {
  readonly name: string
  /** For example `number` or `(line: string): void`. */
  readonly detail: string
  readonly about: string
}

export type OffersAt = (place: Place) => readonly Offer[]

/** The largest language package. Completes names in scope and those from `offersAt`. */
export function typescriptSyntax(offersAt: OffersAt): Extension {
  const autocomplete = (context: CompletionContext) => {
    const { state, pos, explicit } = context
    const from = context.matchBefore(/\w+/)?.from ?? pos
    if (from === pos && !explicit && state.sliceDoc(pos - 1, pos) !== '.') return null
    const place = placeAt(state, from, pos)
    const options = (place ? offersAt(place) : []).map(({ name, detail, about }) => ({
      label: name,
      detail,
      info: about,
      type: detail.startsWith('(') ? 'method' : 'property',
      // Ranks them above the names in scope, which rarely fit here.
      boost: 1,
    }))
    return options.length > 0 ? { from, options, validFor: /^\w*$/ } : null
  }
  return [
    javascript({ typescript: true }),
    typescriptLanguage.data.of({ autocomplete }),
    autocompletion(),
    closeBrackets(),
    keymap.of([...closeBracketsKeymap, ...completionKeymap]),
  ]
}
