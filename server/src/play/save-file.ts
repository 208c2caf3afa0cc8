import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { StartError } from '../lib/errors.ts'
import type { PlayFile } from './tool.ts'

/** The author chose the name, and could choose one that leaves the folder or is hidden. */
export function safeFileName(name: string): string {
  const safe = name
    .replaceAll(/[^\p{L}\p{N}._+-]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, 200)
  return safe === '' ? 'file' : safe
}

/** Saves files in a folder, without overwriting any, and without the token: they may be on another site. */
export function saveIn(folder: string): (file: PlayFile) => Promise<string> {
  return async ({ name, url }) => {
    await mkdir(folder, { recursive: true })
    const path = join(folder, safeFileName(name))
    const response = await fetch(url).catch(() => null)
    if (!response?.ok || !response.body) throw new StartError(`${url} could not be downloaded.`)
    try {
      await pipeline(
        Readable.fromWeb(response.body as ReadableStream),
        createWriteStream(path, { flags: 'wx' }),
      )
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        throw new StartError(`${path} exists already. Remove it, or choose another folder.`, { cause: error })
      await rm(path, { force: true })
      throw error
    }
    return path
  }
}
