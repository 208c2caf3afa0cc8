import { Challenge } from '@pennant/bot'

// The admin of a guest book: signs in with a cookie that contains the flag, then opens the page that a team
// submitted.

export const challenge = new Challenge({
  timeoutMilliseconds: 10_000,
  requireInstancerInstancesRunning: true,
  inputs: { url: { pattern: '^https?://' } },
  hooksConfig: {
    showBrowserErrors: true,
    showNavigation: true,
    autoDismissDialogs: true,
    limitTabsNumber: 4,
  },

  async handler({ browserContext, input, job, output }) {
    const [instance] = job.instancerInstances
    if (!instance) throw new Error('There is no instance to visit.')
    const url = `http://${instance.host}:${instance.port}/`
    await browserContext.addCookies([{ name: 'flag', value: encodeURIComponent(job.flag), url }])
    const page = await browserContext.newPage()
    await page.goto(input.url, { timeout: 5_000 })
    output.info('challenge', 'The admin looks at the page.')
    await page.waitForTimeout(2_000)
  },
})
