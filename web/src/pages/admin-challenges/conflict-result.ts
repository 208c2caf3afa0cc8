import type { Draft, DraftField } from './draft.ts'

/** Fields whose value is a text, or null for none: it stands as it is. All others are JSON. */
const TEXTS: ReadonlySet<DraftField> = new Set(['name', 'category', 'author', 'description', 'adminBotCode'])

/** What shall stand of one field in conflict. */
export interface Result {
  readonly text: string
  /** Undefined while the text is no JSON where JSON is wanted. */
  readonly value: unknown
}

/** One of the two sides as it is: a bot that was taken away is no text, whatever the other side is. */
export function resultOf(field: DraftField, value: Draft[DraftField]): Result {
  return { text: shownText(field, value), value }
}

/** What was written by hand. */
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
