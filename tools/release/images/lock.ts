import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Architecture } from './architectures.ts'
import type { DebianFile } from './debian.ts'
import type { ImageSpec } from './image.ts'
import type { NpmPackage } from './npm.ts'

// packages.json names the bytes of everything in the images that does not come from the checkout or package-lock.json, so
// that a commit has one result.

const path = fileURLToPath(new URL('packages.json', import.meta.url))

export interface Lock {
  /** Time of Debian's snapshot that has all versions, as in its addresses. */
  readonly snapshot: string
  readonly node: {
    readonly version: string
    readonly integrity: Readonly<Record<Architecture['name'], string>>
  }
  /** `<sha256> <bytes> <address>` of each package. */
  readonly debian: Readonly<
    Record<ImageSpec['name'], Readonly<Record<Architecture['name'], readonly string[]>>>
  >
}

export async function readLock(): Promise<Lock> {
  return JSON.parse(await readFile(path, 'utf8')) as Lock
}

export async function writeLock(lock: Lock): Promise<void> {
  await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`)
}

export function debianFiles(lines: readonly string[]): DebianFile[] {
  return lines.map((line) => {
    const [sha256 = '', size, url = ''] = line.split(' ')
    return { sha256, sizeBytes: Number(size), url }
  })
}

export function lineOf({ sha256, sizeBytes, url }: DebianFile): string {
  return `${sha256} ${sizeBytes} ${url}`
}

export function nodePackage({ node }: Lock, { name, cpu }: Architecture): NpmPackage {
  return { name: `node-linux-${cpu}`, version: node.version, integrity: node.integrity[name] }
}
