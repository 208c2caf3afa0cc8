import { StartError } from '../../lib/errors.ts'

/**
 * What an import keeps in memory of its source. The largest events have 100,000 solves and 10,000 accounts, a tenth of it. The
 * process that reads an upload has a limit of its own above it.
 */
export const MAX_KEPT_BYTES = 384 * 1024 * 1024

/** Memory that a value takes besides its text: empty lists and objects have next to none of it. */
const VALUE_BYTES = 64

/** Called for each row that is kept. Throws a StartError when they are too many. */
export type Keep = (row: { readonly bytes: number; readonly values: number }) => void

export function createKeep(maxBytes = MAX_KEPT_BYTES): Keep {
  let left = maxBytes
  return ({ bytes, values }) => {
    left -= bytes + VALUE_BYTES * (values + 1)
    if (left < 0)
      throw new StartError(
        `The source has more rows than an import can keep in memory (${maxBytes} bytes). Nothing was imported.`,
      )
  }
}
