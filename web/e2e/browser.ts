import { existsSync } from 'node:fs'
import { chromium, type Browser, type LaunchOptions, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
/** The headless build: renders like Chromium, with a third of the CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** The console error of a refused request, which scenarios cause on purpose. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4/

/** Starts the first of these programs that is installed. `CHROMIUM` names another executable. */
export async function launch(programs: readonly string[] = [CHROMIUM], more: LaunchOptions = {}) {
  const named = process.env['CHROMIUM']
  const program = (named === undefined ? programs : [named]).find((path) => existsSync(path))
  if (program === undefined)
    throw new Error(`Chromium not found: ${named ?? programs.join(', ')}. Install it or set CHROMIUM.`)
  return chromium.launch({
    ...more,
    executablePath: program,
    args: [
      // Also works as root, as in containers.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The host in hostile texts: not even its name may leave the machine.
      '--host-resolver-rules=MAP *.invalid ~NOTFOUND',
    ],
  })
}

let shared: Promise<Browser> | undefined

/**
 * The browser of this test worker. Scenarios open their own contexts in it, because starting a browser takes
 * longer than most of them.
 */
export function sharedBrowser(): Promise<Browser> {
  if (shared) return shared
  shared = launch([HEADLESS_SHELL, CHROMIUM], { handleSIGTERM: false })
  // Vitest ends a worker with SIGTERM. Playwright removes the browser and its profile when the process exits.
  process.once('SIGTERM', () => process.exit())
  return shared
}

/** Collects console errors, policy reports and uncaught errors of the page. */
export function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    const isProblem = ['error', 'warning'].includes(message.type())
    if (isProblem && !REFUSED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

/** Evaluates through DevTools, because the site's Content Security Policy forbids `eval` in the page. */
export async function inPage(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  if (exceptionDetails) throw new Error(exceptionDetails.text)
  return result.value
}
