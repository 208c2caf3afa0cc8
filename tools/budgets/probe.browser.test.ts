import { expect, test } from 'vitest'
import { launch } from '../../web/e2e/browser.ts'
import { addProbe, emptyBrowser, forgetInteractions, readNotes, readShown, watchFor } from './probe.ts'

const PAGE = `<!doctype html><p id="push"></p><p>text that is pushed down</p><button>press</button><script>
  const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); }
  document.querySelector('button').onclick = () => busy(120)
  requestAnimationFrame(() => setTimeout(() => {
    document.querySelector('#push').style.height = '300px'
    busy(200)
    document.body.append(Object.assign(document.createElement('h1'), { textContent: 'done' }))
  }, 100))
</script>`

test('the probe records layout shifts, long tasks, interactions, and when something becomes visible', async () => {
  const browser = await launch()
  try {
    const context = await emptyBrowser(browser, {})
    await context.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
    const page = await context.newPage()
    await addProbe(page)
    await watchFor(page, 'h1')
    await page.goto('http://site.test/')
    await page.locator('h1').waitFor()
    await expect.poll(async () => (await readNotes(page)).shift).toBeGreaterThan(0.01)
    await expect.poll(async () => (await readNotes(page)).blockedMs).toBeGreaterThanOrEqual(150)
    await expect.poll(() => readShown(page).catch(() => 0)).toBeGreaterThan(200)
    await page.getByRole('button').click()
    await expect.poll(async () => (await readNotes(page)).slowestInteractionMs).toBeGreaterThanOrEqual(120)
    await forgetInteractions(page)
    expect((await readNotes(page)).slowestInteractionMs).toBe(0)
    expect((await readNotes(page)).paintedMs).toBeGreaterThan(0)
  } finally {
    await browser.close()
  }
})
