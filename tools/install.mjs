import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of the lock file unless they are installed. */
export function install(root) {
  if (isInstalled(root)) return
  console.error('installing…')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { file, args: first, shell } = npmCommand()
  const { status, error } = spawnSync(file, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** The npm that started this script, not another one that may come first on the PATH. */
export function npmCommand() {
  const npm = process.env.npm_execpath
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm)
  return isNpm
    ? { file: process.execPath, args: [npm], shell: false }
    : { file: 'npm', args: [], shell: process.platform === 'win32' }
}

/** Whether node_modules matches the lock file. */
function isInstalled(root) {
  const lockFile = join(root, 'package-lock.json')
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  if (statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs) return true
  // A newer modification time does not mean different content: git and npm touch the file without changing
  // it.
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.link) return true
    const found = installed[path]
    return found
      ? found.version === entry.version
      : Boolean(entry.optional || entry.devOptional || entry.peer)
  })
}
