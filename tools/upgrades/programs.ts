import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the program is in a checkout, and in a folder into which the package was installed. */
const PLACES = ['server/dist/main.js', 'node_modules/pennant/server/dist/main.js'] as const

export interface Program extends AsyncDisposable {
  readonly path: string
  /** Its commit, or what `--version` prints. */
  readonly name: string
}

/** The program in a folder, or built from a commit of this repository in a temporary worktree. */
export async function findProgram(folderOrCommit: string): Promise<Program> {
  const path = PLACES.map((place) => join(resolve(folderOrCommit), place)).find((each) => existsSync(each))
  if (path !== undefined)
    return { path, name: nameOf(folderOrCommit, path), [Symbol.asyncDispose]: async () => {} }
  if (existsSync(folderOrCommit)) throw new Error(`${folderOrCommit} has none of ${PLACES.join(', ')}`)
  return await buildCommit(folderOrCommit)
}

function nameOf(folder: string, program: string): string {
  const git = ['-C', folder, 'rev-parse', '--short', 'HEAD']
  const { status, stdout } = spawnSync('git', git, { encoding: 'utf8' })
  return status === 0
    ? stdout.trim()
    : execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).trim()
}

async function buildCommit(commit: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-upgrades-'))
  const dispose = async () => {
    await rm(folder, { recursive: true, force: true })
    runIn(root, 'git', 'worktree', 'prune')
  }
  try {
    runIn(root, 'git', 'worktree', 'add', '--detach', folder, commit)
    runIn(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    runIn(folder, 'npm', 'run', 'build')
  } catch (error) {
    await dispose()
    throw error
  }
  return { path: join(folder, PLACES[0]), name: commit, [Symbol.asyncDispose]: dispose }
}

function runIn(cwd: string, program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
