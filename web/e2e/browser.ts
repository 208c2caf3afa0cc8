import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Tells of a request that was refused, which stories ask for on purpose. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4/

/** Chromium as the distribution has it. `CHROMIUM` names another program. */
export async function launch(): Promise<Browser> {
  if (!existsSync(program))
    throw new Error(`There is no Chromium at ${program}. Install it, or name one with CHROMIUM.`)
  return chromium.launch({
    executablePath: program,
    args: [
      // Also as root, as in containers.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Gathers what the page complains of: console errors, policy reports, errors that nobody caught. */
export function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    const isTrouble = ['error', 'warning'].includes(message.type())
    if (isTrouble && !REFUSED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

/** Evaluates as the browser's own tools would: the site's policy forbids `eval` to everybody else. */
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
