import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** The fields of one row as offsets into the buffer; -1 for null. Valid until the next row. */
export interface CopiedRow {
  readonly buffer: Buffer
  readonly at: Int32Array
}

export interface BinaryCopy {
  /** A query without parameters: COPY does not support them. */
  readonly select: string
  readonly columns: number
  readonly onRow: (row: CopiedRow) => void
}

/** Signature, flags and the length of the header extension, which is always empty. */
const HEADER_BYTES = 19

/** Streams the rows of a query as binary fields, in a third of the time and memory that parsed rows take. */
export async function readBinaryCopy(
  client: PoolClient,
  { select, columns, onRow }: BinaryCopy,
): Promise<void> {
  const stream = client.query(copyTo(`copy (${select}) to stdout (format binary)`))
  const row = { buffer: Buffer.alloc(0) as Buffer, at: new Int32Array(columns) }
  let rest: Buffer = Buffer.alloc(0)
  let skip = HEADER_BYTES
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    row.buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    if (skip > 0 && row.buffer.length >= skip) {
      start = skip
      skip = 0
    }
    // Ends at the first incomplete row.
    for (let end = skip === 0 ? locateRow(row, start) : -1; end !== -1; end = locateRow(row, start)) {
      onRow(row)
      start = end
    }
    rest = row.buffer.subarray(start)
  }
}

/** Fills in the field offsets of the row at `start` and returns the row's end, or -1 if the row is incomplete. */
function locateRow({ buffer, at }: CopiedRow, start: number): number {
  let next = start + 2
  // The trailer is a row with -1 fields.
  if (next > buffer.length || buffer.readInt16BE(start) !== at.length) return -1
  for (let i = 0; i < at.length; i += 1) {
    if (next + 4 > buffer.length) return -1
    const length = buffer.readInt32BE(next)
    next += 4
    at[i] = length === -1 ? -1 : next
    if (length > 0) next += length
  }
  return next > buffer.length ? -1 : next
}
