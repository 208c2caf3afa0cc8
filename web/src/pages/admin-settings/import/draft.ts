import type { ImportChoices } from '../../../api/contest-import.ts'

/** The form of an import. */
export interface ImportDraft {
  readonly source: 'ctfd' | 'rctf'
  readonly divisions: string
  readonly token: string
  /** Files of the configuration of rCTF. */
  readonly configuration: readonly File[]
  /** Unix milliseconds; null for that of the export, NaN while it is incomplete. */
  readonly end: number | null
  readonly hidden: 'ban' | 'skip'
  readonly awards: 'adjust' | 'feed' | 'skip'
  readonly scoring: 'static' | 'decay'
  readonly locked: 'hide' | 'open'
  readonly admins: boolean
}

export const newDraft: ImportDraft = {
  source: 'ctfd',
  divisions: '',
  token: '',
  configuration: [],
  end: null,
  hidden: 'ban',
  awards: 'adjust',
  scoring: 'static',
  locked: 'hide',
  admins: false,
}

export function choicesOf(draft: ImportDraft): ImportChoices {
  const { source, divisions, end, hidden, awards, scoring, locked, admins } = draft
  const mapped = divisions.trim() === '' ? {} : { divisions }
  if (source === 'rctf') return { source, ...mapped }
  const ended = end === null ? {} : { end: new Date(end).toISOString() }
  return { source, ...mapped, ...ended, hidden, awards, scoring, locked, admins: admins ? 'true' : 'false' }
}
