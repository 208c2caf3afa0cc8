import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { eventually } from '../../server/test/eventually.ts'
import type { Member } from '../../server/test/harness.ts'
import type { Tab } from './engine-tour.ts'
import { PATIENCE_MS } from './harness.ts'

// WebKitGTK over WebDriver (https://www.w3.org/TR/webdriver2), by Debian's package `webkit2gtk-driver`.

/** The key under which the protocol returns an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const ENTER = '\uE007'

/** Starts the driver, which has one session at a time: each tab is a browser of its own, which keeps nothing. */
export async function startWebKit(origin: string) {
  const port = await findFreePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, LANG: 'en_US.UTF-8' },
  })
  const exit = once(driver, 'exit')
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  await eventually(() => send('GET', '/status'))
  return {
    openTab: (team?: Member) => openTab({ send, origin, token: team?.token }),
    async [Symbol.asyncDispose]() {
      driver.kill()
      await exit
    },
  }
}

interface Session {
  readonly send: (method: string, path: string, body?: object) => Promise<unknown>
  readonly origin: string
  readonly token: string | undefined
}

async function openTab({ send, origin, token }: Session): Promise<Tab> {
  const { sessionId } = (await send('POST', '/session', { capabilities: {} })) as { sessionId: string }
  const session = `/session/${sessionId}`
  await send('POST', `${session}/timeouts`, { implicit: PATIENCE_MS })
  const open = async (path: string) => void (await send('POST', `${session}/url`, { url: origin + path }))
  /** Waits for the element, by the implicit timeout, and returns its path. */
  const find = async (using: 'css selector' | 'xpath', value: string) => {
    const found = (await send('POST', `${session}/element`, { using, value })) as Record<string, string>
    return `${session}/element/${found[ELEMENT]}`
  }
  const type = async (selector: string, text: string) =>
    void (await send('POST', `${await find('css selector', selector)}/value`, { text }))
  const run = (script: string, ...args: string[]) => send('POST', `${session}/execute/sync`, { script, args })
  if (token !== undefined) {
    await open('/robots.txt')
    await run('localStorage.setItem("pennant.token", arguments[0])', token)
  }
  return {
    open,
    async openLive(path) {
      await open(path)
      // Once the list is there, what comes is news. The protocol does not tell whether the stream is open.
      const script =
        'return performance.getEntriesByType("resource").some(({ name }) => name.includes("/announcements"))'
      await eventually(async () => expect(await run(script)).toBe(true))
    },
    see: async (selector) => void (await find('css selector', selector)),
    seeText: async (text) => void (await find('xpath', `//*[text()[contains(., '${text}')]]`)),
    enter: (selector, text) => type(selector, text + ENTER),
    upload: type,
    close: async () => void (await send('DELETE', session)),
  }
}
