import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { provider } from '../provider.ts'
import { localPath } from './local-path.ts'
import { openStagingFolder } from './staging-folder.ts'
import type { StagedFile, StoredFile, Uploads } from './uploads.ts'

/** Files in a folder of this machine, served by the API itself under `/uploads/`. */
export const localUploads = provider<Uploads>()({
  name: 'uploads/local',
  options: z.strictObject({
    uploadDirectory: z
      .string()
      .min(1)
      .default('uploads')
      .describe('Folder of the uploaded files, within the data folder or absolute.'),
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
      signedUrl: null,
      find,

      async store(key, content) {
        const present = await find(key)
        if (present) return present
        const path = pathOf(folder, key)
        await mkdir(dirname(path), { recursive: true })
        // A file appears whole or not at all. Two that store one key at once bring the same bytes.
        const complete = join(stagingFolder, randomUUID())
        try {
          await bring(content, complete)
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

function pathOf(folder: string, key: string): string {
  const path = localPath(folder, key.split('/'))
  if (path === null) throw new Error('not a key of an upload')
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
