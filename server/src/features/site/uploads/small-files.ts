import { readFile, stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { SECOND_MS } from '@pennant/contract/durations.ts'

// At the opening of an event, and after each wave, everyone downloads the same files. Opening, reading and closing a file takes
// several times the processor time of sending it.

export interface FoundFile {
  readonly size: number
  /** Null if it is too large to be kept. */
  readonly content: Buffer | null
}

export interface SmallFiles {
  /** The content of a file that was there a moment ago. */
  kept(path: string): Buffer | null
  /** Null if there is no readable file. */
  find(path: string): Promise<FoundFile | null>
}

const MAX_FILE_BYTES = 256 * 1024
/** Of all together. */
const MAX_BYTES = 32 * 1024 * 1024
/** Smaller files count as this much. */
const MIN_COUNTED_BYTES = 4 * 1024
/** How long a file is served after it was deleted. Its content never changes. */
const CHECK_EVERY_MS = 5 * SECOND_MS

interface Kept {
  readonly content: Buffer
  checkedAt: number
}

/** `elapsedMs`: a monotonic clock. */
export function cacheSmallFiles(elapsedMs: () => number): SmallFiles {
  const files = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ content }) => Math.max(MIN_COUNTED_BYTES, content.length),
  })
  /** Reads under way, at most one for each file. */
  const reads = new Map<string, Promise<FoundFile | null>>()

  async function read(path: string): Promise<FoundFile | null> {
    const found = await stat(path)
    if (!found.isFile()) return null
    const { size } = found
    if (size > MAX_FILE_BYTES) return { size, content: null }
    const known = files.get(path)
    const content = known?.content.length === size ? known.content : await readFile(path)
    // It cannot have grown: files are renamed to their key when they are complete.
    files.set(path, { content, checkedAt: elapsedMs() })
    return { size: content.length, content }
  }

  return {
    kept(path) {
      const known = files.get(path)
      return known && elapsedMs() - known.checkedAt < CHECK_EVERY_MS ? known.content : null
    },
    find(path) {
      const reading =
        reads.get(path) ??
        read(path)
          .catch(() => {
            files.delete(path)
            return null
          })
          .finally(() => reads.delete(path))
      reads.set(path, reading)
      return reading
    },
  }
}
