import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { FlagText, flagProvider } from './flags.ts'

export const staticFlags = flagProvider({
  name: 'flags/static',
  config: z.strictObject({ flag: FlagText }),

  open({ flag }) {
    const expected = Buffer.from(flag)
    return {
      accepts: ({ text }) => (isSame(expected, Buffer.from(text)) ? { cheatedFrom: null } : null),
      valueFor: () => flag,
    }
  },
})

/** Constant-time comparison: the time depends only on the longer length. */
function isSame(expected: Buffer, sent: Buffer): boolean {
  const length = Math.max(expected.length, sent.length)
  const isSameText = timingSafeEqual(padded(expected, length), padded(sent, length))
  return isSameText && expected.length === sent.length
}

function padded(bytes: Buffer, length: number): Buffer {
  const wide = Buffer.alloc(length)
  bytes.copy(wide)
  return wide
}
