import { randomUUID } from 'node:crypto'
import { copyFile, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { giveToFolderOwner, makeOwnedFolder } from '../../lib/folder-owner.ts'
import { provider } from '../provider.ts'
import { localPath } from './local-path.ts'
import { openStagingFolder } from './staging-folder.ts'
import type { StagedFile, StoredFile, Uploads } from './uploads.ts'

/** Files in a local folder, served by the API itself under `/uploads/`. */
export const localUploads = provider<Uploads>()({
  name: 'uploads/local',
  options: z.strictObject({
    uploadDirectory: z
      .string()
      .min(1)
      .default('uploads')
      .describe('Folder for uploaded files, relative to the data folder or absolute.'),
  }),

  async start({ uploadDirectory }, { now, dataDir }) {
    const folder = resolve(dataDir, uploadDirectory)
    const stagingFolder = await openStagingFolder(join(folder, '.staging'), now())

    async function find(key: string): Promise<StoredFile | null> {
      const path = pathOf(folder, key)
      try {
        const found = await stat(path)
        return found.isFile() ? { url: urlOf(key), size: found.size } : null
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    }

    return {
      stagingFolder,
      servedFolder: folder,
      origin: null,
      signedUrl: null,
      contents: {
        list: () => listFiles(folder),
        async open(key) {
          const file = await open(pathOf(folder, key), 'r').catch((error: unknown) => {
            if (isMissing(error)) return null
            throw error
          })
          return file && (file.createReadStream() as AsyncIterable<Buffer>)
        },
      },
      find,

      async store(key, content) {
        const present = await find(key)
        if (present) return present
        const path = pathOf(folder, key)
        await makeOwnedFolder(dirname(path))
        // Files appear atomically. Two concurrent stores of one key write the same bytes.
        const complete = join(stagingFolder, randomUUID())
        try {
          await bring(content, complete)
          await giveToFolderOwner(complete)
          await rename(complete, path)
        } finally {
          await rm(complete, { force: true })
        }
        return { url: urlOf(key), size: Buffer.isBuffer(content) ? content.length : content.size }
      },

      async remove(key) {
        await rm(pathOf(folder, key), { force: true })
      },
    }
  },
})

async function bring(content: Buffer | StagedFile, path: string): Promise<void> {
  if (Buffer.isBuffer(content)) return await writeFile(path, content, { flag: 'wx', flush: true })
  try {
    await rename(content.path, path)
  } catch (error) {
    // Staged on another disk.
    if (!isCode(error, 'EXDEV')) throw error
    await copyFile(content.path, path)
  }
}

/** The keys of all files. A shortened name is a key too: it is mapped to itself. */
async function* listFiles(folder: string): AsyncGenerator<{ key: string; size: number }> {
  for await (const entry of walk(folder, [])) {
    const path = localPath(folder, entry)
    const found = path === null ? null : await stat(path).catch(() => null)
    if (found?.isFile()) yield { key: entry.join('/'), size: found.size }
  }
}

async function* walk(folder: string, under: readonly string[]): AsyncGenerator<string[]> {
  // Keys have at most three segments.
  if (under.length > 2) return
  const entries = await readdir(join(folder, ...under), { withFileTypes: true }).catch((error: unknown) => {
    // Nothing was uploaded yet, or the file was removed meanwhile.
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of entries) {
    const segments = [...under, entry.name]
    if (entry.isDirectory()) yield* walk(folder, segments)
    else if (entry.isFile()) yield segments
  }
}

function pathOf(folder: string, key: string): string {
  const path = localPath(folder, key.split('/'))
  if (path === null) throw new Error('not a valid upload key')
  return path
}

function urlOf(key: string): string {
  return `/uploads/${key.split('/').map(encodeURIComponent).join('/')}`
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
