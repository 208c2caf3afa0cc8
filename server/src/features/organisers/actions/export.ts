import { csvHead, csvLine } from '../../../lib/csv.ts'
import type { ActionRow } from './store.ts'

export type ExportFormat = 'csv' | 'jsonl'

const columns = [
  'seq',
  'at',
  'actorId',
  'actorName',
  'action',
  'route',
  'target',
  'keys',
  'before',
  'after',
  'ip',
  'requestId',
  'undoes',
  'personId',
  'personName',
  'apiTokenId',
  'apiTokenName',
  'previousHash',
  'hash',
  'salts',
  'digests',
] as const satisfies readonly (keyof ActionRow)[]

/** The lines of an export, each with its end. */
export async function* exportLines(
  rows: AsyncIterable<ActionRow>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead(columns)
  for await (const row of rows)
    yield format === 'csv' ? csvLine(columns.map((name) => row[name])) : jsonLine(row)
}

/** With the texts of `before` and `after` as they are stored, so that the hash of a line can be computed again. */
function jsonLine(row: ActionRow): string {
  const fields = columns.map((name) => {
    const isJson = name === 'before' || name === 'after' || name === 'salts'
    return `${JSON.stringify(name)}:${isJson ? (row[name] ?? 'null') : JSON.stringify(row[name])}`
  })
  return `{${fields.join(',')}}\n`
}
