/** What a new admin bot begins with: docs/author/admin-bot.md explains it. */
export const NEW_CODE = `import { Challenge } from '@pennant/bot'

export const challenge = new Challenge({
  timeoutMilliseconds: 10_000,
  inputs: { url: { pattern: '^https?://' } },
  async handler({ browserContext, input, job, output }) {
    await browserContext.addCookies([{ name: 'flag', value: job.flag, url: input.url }])
    const page = await browserContext.newPage()
    await page.goto(input.url)
    output.info('challenge', 'The admin looks at the page.')
    await page.waitForTimeout(3_000)
  },
})
`
