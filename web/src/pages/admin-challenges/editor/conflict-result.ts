import type { Draft, DraftField } from '../draft.ts'

/** Text fields (null for none), shown as is. All other fields are shown as JSON. */
const TEXTS: ReadonlySet<DraftField> = new Set(['name', 'category', 'author', 'description', 'adminBotCode'])

/** The resolved value of one conflicting field. */
export interface Result {
  readonly text: string
  /** Undefined while a JSON field contains invalid JSON. */
  readonly value: unknown
}

/** Takes one side unchanged. A removed bot is shown as empty text and keeps the value null. */
export function resultOf(field: DraftField, value: Draft[DraftField]): Result {
  return { text: shownText(field, value), value }
}

/** Takes text that the user typed. */
export function typedResult(field: DraftField, text: string): Result {
  if (TEXTS.has(field)) return { text, value: text }
  try {
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    return { text, value: undefined }
  }
}

function shownText(field: DraftField, value: Draft[DraftField]): string {
  if (!TEXTS.has(field)) return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : ''
}
