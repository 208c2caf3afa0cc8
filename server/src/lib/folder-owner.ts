import { lchown, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

// A command that root runs must leave nothing in the folder of a service that the service cannot use.

/** If this process is root: gives a new file or folder to the owner of the folder that it is in. Follows no links. */
export async function giveToFolderOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await lchown(path, uid, gid)
}

/** Creates a folder and its missing parents, which belong to the owner of the first existing one. */
export async function makeOwnedFolder(path: string, mode?: number): Promise<void> {
  const last = resolve(path)
  const first = await mkdir(last, { recursive: true, mode })
  if (first === undefined) return
  const made = [last]
  for (let at = last; at !== first && at !== dirname(at); at = dirname(at)) made.unshift(dirname(at))
  for (const each of made) await giveToFolderOwner(each)
}
