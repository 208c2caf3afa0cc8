import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import type { Config } from '../config.ts'
import type { Surroundings } from '../protocol.ts'

const CHROMIUM_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The probe takes milliseconds. */
const ASK_LIMIT_MS = 5_000

/**
 * Finds the installed browsers. Firefox is used only when configured: the driver needs Playwright's own
 * build, so a distribution's Firefox does not work.
 */
export function findSurroundings(
  config: Pick<Config, 'CHROMIUM_PATH' | 'FIREFOX_PATH' | 'ALLOW_PRIVATE' | 'ISOLATION'>,
): Surroundings {
  return {
    chromiumPath: requireProgram('CHROMIUM_PATH', config.CHROMIUM_PATH) ?? findChromium(),
    firefoxPath: requireProgram('FIREFOX_PATH', config.FIREFOX_PATH),
    // Isolation implies what the sandbox needs.
    hasSandbox: config.ISOLATION === 'on' || canSandbox(),
    allowPrivate: config.ALLOW_PRIVATE,
  }
}

export function findChromium(): string | null {
  return CHROMIUM_PLACES.find(isProgram) ?? null
}

function requireProgram(name: string, path: string | undefined): string | null {
  if (path === undefined) return null
  if (!isProgram(path)) throw new Error(`${name}: no executable file at ${path}.`)
  return path
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Chromium's own sandbox needs new namespaces with a root user inside; Chromium refuses to start with it as
 * root.
 */
function canSandbox(): boolean {
  if (process.platform !== 'linux') return true
  if (process.getuid?.() === 0) return false
  const names = ['--user', '--map-root-user', '--pid', '--fork', '--net', '--root=/', 'true']
  return spawnSync('unshare', names, { timeout: ASK_LIMIT_MS, stdio: 'ignore' }).status === 0
}
