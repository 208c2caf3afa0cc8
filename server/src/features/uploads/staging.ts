import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StagedFile } from '../../providers/uploads/uploads.ts'

export interface HashedFile extends StagedFile {
  readonly sha256: string
}

/** Files of one request on their way, on disk and never in memory. Disposing removes what was not taken over. */
export interface Staging extends AsyncDisposable {
  /** Writes the stream down and tells its digest. */
  receive(content: Readable): Promise<HashedFile>
}

export function openStaging(folder: string): Staging {
  const paths: string[] = []
  return {
    async receive(content) {
      await mkdir(folder, { recursive: true })
      const path = join(folder, randomUUID())
      paths.push(path)
      // Made before the stream begins: one that breaks off at once must not leave a file that is made after its removal.
      const file = await open(path, 'wx')
      const hash = createHash('sha256')
      let size = 0
      async function* hashed(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
        for await (const chunk of source) {
          hash.update(chunk)
          size += chunk.length
          yield chunk
        }
      }
      await pipeline(content, hashed, file.createWriteStream({ flush: true }))
      return { path, size, sha256: hash.digest('hex') }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all(paths.map((path) => rm(path, { force: true })))
    },
  }
}
