import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { canonical, readTar, type Tree } from './tree.ts'

// Debian's packages, as files: no script of a package runs, so that those of another architecture need no emulator.

/** A package file, of which every build uses the same bytes. */
export interface DebianFile {
  readonly url: string
  readonly sizeBytes: number
  readonly sha256: string
}

export interface DebianPackage {
  readonly name: string
  readonly version: string
  /** As in `/var/lib/dpkg/status`. */
  readonly status: string
  readonly tree: Tree
}

const DOWNLOAD_LIMIT_MS = 300_000
/** Keeps what scanners and licences need; the rest is for people at a terminal or a desktop. */
const DOCUMENTATION = /^usr\/share\/(?:doc\/[^/]+\/(?!copyright$)|man\/|locale\/|info\/|lintian\/|bug\/)/

/** Downloads the file, or takes it from the cache, and returns what it contains. */
export async function readPackage(file: DebianFile, snapshot: string): Promise<DebianPackage> {
  const path = await fetchFile(file, snapshot)
  const fields = spawnSync('dpkg-deb', ['--field', path], { encoding: 'utf8' })
  if (fields.error)
    throw new Error('Images are built on Debian or Ubuntu, with dpkg-deb.', { cause: fields.error })
  if (fields.status !== 0) throw new Error(`${path} is no package: ${fields.stderr}`)
  const valueOf = (field: string) => new RegExp(`^${field}: (.*)$`, 'm').exec(fields.stdout)?.[1] ?? ''
  const child = spawn('dpkg-deb', ['--fsys-tarfile', path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const tree = await readTar(child.stdout, (name) => {
    const at = canonical(name)
    return DOCUMENTATION.test(at) ? null : at
  })
  return {
    name: valueOf('Package'),
    version: valueOf('Version'),
    status: fields.stdout.replace(/^(Package: .*)$/m, '$1\nStatus: install ok installed'),
    tree,
  }
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'pennant-release')
}

/** Removes everything else from the cache, which would otherwise keep every version. */
export async function pruneCache(files: readonly DebianFile[]): Promise<void> {
  const kept = new Set(files.map(({ sha256 }) => `${sha256}.deb`))
  for (const name of await readdir(cacheFolder())) if (!kept.has(name)) await rm(join(cacheFolder(), name))
}

/** Returns the path of the file in the cache. */
async function fetchFile(file: DebianFile, snapshot: string): Promise<string> {
  const path = join(cacheFolder(), `${file.sha256}.deb`)
  const cached = await readFile(path).catch(() => null)
  if (cached && isExpected(cached, file)) return path
  const bytes = await download(file, snapshot)
  await mkdir(cacheFolder(), { recursive: true })
  // Another build may read it.
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, bytes)
  await rename(temporary, path)
  return path
}

/** Mirrors only have current versions; the snapshots have all. */
async function download(file: DebianFile, snapshot: string): Promise<Buffer> {
  const archived = file.url.replace(
    /^http:\/\/deb\.debian\.org\/([^/]+)\//,
    `https://snapshot.debian.org/archive/$1/${snapshot}/`,
  )
  const failures: string[] = []
  for (const url of [file.url, archived]) {
    const bytes = await request(url).catch((error: unknown) => String(error))
    if (typeof bytes !== 'string' && isExpected(bytes, file)) return bytes
    failures.push(`${url}: ${typeof bytes === 'string' ? bytes : 'other bytes than locked'}`)
  }
  throw new UnavailablePackageError(
    `${basename(file.url)} cannot be downloaded. Lock the current packages: npm run image -- --renew\n${failures.join('\n')}`,
  )
}

/** A locked version has left the mirror. */
export class UnavailablePackageError extends Error {}

async function request(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

function isExpected(bytes: Buffer, { sizeBytes, sha256 }: DebianFile): boolean {
  return bytes.length === sizeBytes && createHash('sha256').update(bytes).digest('hex') === sha256
}
