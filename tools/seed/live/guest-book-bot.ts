import { Challenge } from '@pennant/bot'

/** The harbour master visits a page of the team's guest book; the flag is the session cookie. */
export const challenge = new Challenge({
  timeoutMilliseconds: 15_000,
  requireInstancerInstancesRunning: true,
  inputs: { url: { pattern: '^http://' } },
  hooksConfig: { showConsoleLogs: true, showNavigation: true, autoDismissDialogs: true },

  async handler({ browserContext, input, job, output }) {
    const [book] = job.instancerInstances
    const address = `http://${book?.host}:${book?.port}/`
    if (!input.url.startsWith(address)) {
      output.warn('challenge', `The harbour master reads only ${address}.`)
      return
    }
    await browserContext.addCookies([{ name: 'flag', value: job.flag, url: address }])
    const page = await browserContext.newPage()
    await page.goto(input.url)
    // Time for the page's scripts to run.
    await page.waitForTimeout(3000)
    output.info('challenge', 'The harbour master has read it.')
  },
})
