import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs what the lock file says, unless it is there. */
export function install(root) {
  if (isInstalled(root)) return
  console.error('installing…')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  // The npm that runs us, so that another one on the path does not take its place.
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm)
  const [command, ...first] = isNpm ? [process.execPath, npm] : ['npm']
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !isNpm && process.platform === 'win32',
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Whether node_modules holds what the lock file names. */
function isInstalled(root) {
  const lockFile = join(root, 'package-lock.json')
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  if (statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs) return true
  // A newer lock file need not differ: git and npm touch it without changing it.
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
