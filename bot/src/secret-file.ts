import { closeSync, openSync, readSync } from 'node:fs'

/** Keys and headers are a few hundred bytes long. */
const MAX_BYTES = 64 * 1024

/**
 * Reads a file. `/dev/fd/<number>` names a descriptor passed to this process: it is read directly and then
 * closed, because opening the path would require permissions on the file behind it.
 */
export function readSecretFile(path: string): string {
  const number = /^\/dev\/fd\/(\d{1,4})$/.exec(path)?.[1]
  const descriptor = number === undefined ? openSync(path, 'r') : Number(number)
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    // Ends at the end of the file, or when the file is too long.
    for (;;) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, null)
      length += count
      if (length > MAX_BYTES) throw Object.assign(new Error('the file is too long'), { code: 'EFBIG' })
      if (count === 0) return bytes.toString('utf8', 0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}
