import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StagedFile } from '../../../providers/uploads/uploads.ts'

export interface HashedFile extends StagedFile {
  readonly sha256: string
}

/**
 * Streams the files of one request to disk instead of memory. Disposal deletes files that were not moved to
 * the store.
 */
export interface Staging extends AsyncDisposable {
  /** Writes the stream to a file and returns its hash. */
  receive(content: Readable): Promise<HashedFile>
}

/** Modes of the files and of the folder, which is created with the first file. */
export interface StagingModes {
  readonly mode?: number
  readonly folderMode?: number
}

export function openStaging(folder: string, { mode, folderMode }: StagingModes = {}): Staging {
  const paths: string[] = []
  return {
    async receive(content) {
      await mkdir(folder, { recursive: true, mode: folderMode })
      const path = join(folder, randomUUID())
      paths.push(path)
      // Created before the stream starts: if the stream breaks immediately, the file must not appear after
      // its deletion.
      const file = await open(path, 'wx', mode)
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
