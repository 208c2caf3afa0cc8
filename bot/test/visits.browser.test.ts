import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../server/test/eventually.ts'
import type { HttpService } from '../../server/test/http-service.ts'
import { startPages } from './pages.ts'
import { codeOf, startStage, visit, type Stage, type Visited } from './stage.ts'
import { processesOf, visitFoldersOf } from './worker-process.ts'

let stage: Stage
let pages: HttpService

beforeAll(async () => {
  pages = await startPages()
  stage = await startStage({
    // Without a pre-launched browser, nothing may be left between visits.
    env: { ALLOW_PRIVATE: new URL(pages.url).host, WARM_BROWSER: 'false', VISIT_MEMORY_MIB: '700' },
  })
})

afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await pages[Symbol.asyncDispose]()
})

let challenges = 0

/** Saves an author's code as a challenge and runs one visit. */
async function run(body: string, options = '', inputs: Record<string, string> = {}): Promise<Visited> {
  challenges += 1
  const id = `visit-${challenges}`
  await stage.addChallenge(id, codeOf(body.replaceAll('$PAGES', pages.url), options))
  const visited = await visit(stage, id, { inputs })
  await expectNothingLeft()
  return visited
}

/** The end of a job is reported after all its processes and files are gone. */
async function expectNothingLeft() {
  const { id } = stage.workers[0]!
  await eventually(() => expect(processesOf(id)).toEqual([]))
  expect(visitFoldersOf(id)).toEqual([])
}

const texts = ({ lines }: Visited) => lines.map(({ prefix, line }) => `${prefix}: ${line}`)

const withTitle = (path: string) => `
  const page = await browserContext.newPage()
  await page.goto('$PAGES${path}')
  output.info('title', await page.title())`

test('a visit exposes no compilers to pages and has no data of an earlier visit', async () => {
  const body = `${withTitle('/compilers')}
    output.info('cookies', String((await browserContext.cookies()).length))
    output.info('kept', String(await page.evaluate(() => localStorage.getItem('kept'))))
    await page.evaluate(() => localStorage.setItem('kept', 'yes'))
    await browserContext.addCookies([{ name: 'a', value: 'b', url: '$PAGES' }])`
  for (let round = 0; round < 2; round += 1) {
    const visited = await run(body)
    expect(visited.status).toBe('completed')
    expect(texts(visited)).toEqual(['title: undefined', 'cookies: 0', 'kept: null'])
  }
})

test('the log contains the hooked events, with truncated lines and the newest kept', async () => {
  const hooks = 'hooksConfig: { showConsoleLogs: true, showBrowserErrors: true, showNavigation: true },'
  const visited = await run(
    `${withTitle('/talk')}
    await page.waitForTimeout(300)
    await page.goto('http://127.0.0.1:1/').catch(() => {})`,
    hooks,
  )
  expect(visited.status).toBe('completed')
  expect(texts(visited)).toEqual(
    expect.arrayContaining([
      `navigation: ${pages.url}/talk`,
      'console: a line',
      'console: trouble',
      'console: ReferenceError: nothing is not defined',
      'title: page',
    ]),
  )
  const quiet = await run(
    `for (let i = 0; i < 10; i++) output.warn('count', i + 'x'.repeat(50), { long: 'y'.repeat(99) })`,
    'maxLogLines: 3, maxLogValueChars: 9,',
  )
  expect(quiet.lines.map(({ level, line, extra }) => [level, line, extra])).toEqual(
    [7, 8, 9].map((count) => ['warn', `${count}xxxxxxxx`, '{"long":"']),
  )
})

test('dialogs do not block a visit and can be logged', async () => {
  const silent = await run(withTitle('/alerts'))
  expect(texts(silent)).toEqual(['title: false null'])
  const shown = await run(withTitle('/alerts'), 'hooksConfig: { showDialogs: true },')
  expect(texts(shown)).toEqual(['dialog: one', 'dialog: two', 'dialog: three', 'title: false null'])
  const own = await run(
    `browserContext.on('page', (page) => page.on('dialog', (dialog) => dialog.accept('yes')))
    ${withTitle('/alerts')}`,
    'hooksConfig: { showDialogs: true },',
  )
  expect(texts(own)).toContain('title: true yes')
})

test('tabs beyond the limit are closed', async () => {
  const visited = await run(
    `${withTitle('/popups')}
    await page.waitForTimeout(1_000)
    output.info('tabs', String(browserContext.pages().length <= 3))`,
    'hooksConfig: { limitTabsNumber: 3, limitTabsNumberShowError: true },',
  )
  expect(visited.status).toBe('completed')
  expect(texts(visited)).toContain('tabs: true')
  expect(texts(visited)).toContain('admin-bot: A tab was closed: 3 may be open.')
})

test('a page that never finishes is closed at the time limit', async () => {
  const visited = await run(
    `output.info('begin', 'here')
    const page = await browserContext.newPage()
    await page.goto('$PAGES/loop', { timeout: 60_000 })
    await page.title()`,
    'timeoutMilliseconds: 5_000,',
  )
  expect(visited.status).toBe('failed')
  expect(texts(visited)).toEqual(['begin: here', 'admin-bot: The visit took longer than 5000 ms.'])
})

test('code that never returns fails the visit without blocking the worker', async () => {
  const visited = await run(
    `output.info('begin', 'here')
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (;;);`,
    'timeoutMilliseconds: 1_000,',
  )
  expect(visited.status).toBe('failed')
  expect(texts(visited)).toEqual(['begin: here', 'admin-bot: The visit took longer than 1000 ms.'])
})

test('a page that exceeds the memory limit of a visit is ended', async () => {
  const visited = await run(
    `const page = await browserContext.newPage()
    await page.goto('$PAGES/hog')
    await new Promise(() => {})`,
    'timeoutMilliseconds: 50_000, browserArguments: [],',
  )
  expect(visited.status).toBe('failed')
  expect(texts(visited)).toEqual(['admin-bot: The visit took more than 700 MiB of memory.'])
})

test('a crash of a page or of the browser fails the visit', async () => {
  const crash = await run(`const page = await browserContext.newPage(); await page.goto('chrome://crash')`)
  expect(texts(crash)).toEqual(['admin-bot: The admin bot only visits http and https URLs.'])
  const closed = await run(`await browserContext.browser().close(); await new Promise(() => {})`)
  expect(closed.status).toBe('failed')
  expect(texts(closed)).toEqual(['admin-bot: The browser exited before the visit was complete.'])
  const thrown = await run(`throw new Error('the handler says no')`)
  expect(thrown.status).toBe('failed')
  expect(texts(thrown)).toEqual(['admin-bot: the handler says no'])
})

test('a handler that closes its browser context completes the visit', async () => {
  expect(await run(`output.info('a', 'b'); await browserContext.close()`)).toMatchObject({
    status: 'completed',
  })
})

test('reports an unhandled rejection of the handler and its messages to operators', async () => {
  const visited = await run(`void Promise.reject(new Error('forgotten'))
    logger.warn('a note', { a: 1 })
    await new Promise((resolve) => setTimeout(resolve, 200))`)
  expect(visited.status).toBe('completed')
  expect(stage.workers[0]!.log).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'author: a note', extra: { a: 1 } }),
      expect.objectContaining({
        msg: 'author: unhandled promise rejection in the handler',
        extra: { reason: 'forgotten' },
      }),
    ]),
  )
})

test('downloads leave no files', async () => {
  const visited = await run(`const page = await browserContext.newPage()
    const coming = page.waitForEvent('download')
    await page.goto('$PAGES/download').catch(() => {})
    const download = await coming
    output.info('download', download.suggestedFilename())
    output.info('failure', String(await download.failure()))`)
  expect(texts(visited)).toEqual(['download: x.bin', expect.stringMatching(/^failure: .*acceptDownloads/)])
})

test('a handler without Firefox is refused when it is saved', async () => {
  const saved = run('', `browser: 'firefox',`)
  await expect(saved).rejects.toThrow('This worker has no Firefox.')
})

test("code has no access to the worker's secret or modules", async () => {
  const visited = await run(`
    output.info('names', Object.keys(process.env).toSorted().join(' '))
    const name = 'node:' + 'fs'
    await import(name).catch((error) => output.info('import', error.code))`)
  expect(visited.status).toBe('completed')
  const [names, imported] = texts(visited)
  expect(names).toMatch(
    /^names: HOME( LANG)?( LC_ALL)? PATH PENNANT_VISIT TMPDIR( TZ)? XDG_CACHE_HOME XDG_CONFIG_HOME$/,
  )
  expect(imported).toBe('import: ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING')
})
