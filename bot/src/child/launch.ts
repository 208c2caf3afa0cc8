import { chromium, firefox, type Browser, type LaunchOptions } from 'playwright-core'
import type { Options } from '../author/options.ts'
import type { Surroundings } from '../protocol.ts'

const LAUNCH_LIMIT_MS = 30_000

/**
 * Defaults that authors can replace: no JIT compilers, which contain most engine vulnerabilities; a heap
 * limit, so that a page runs out of memory before the machine does; no need for a large /dev/shm.
 */
const CHROME_ARGUMENTS = [
  '--js-flags=--jitless,--no-expose-wasm,--max-old-space-size=512',
  '--disable-dev-shm-usage',
]

/** Always set: all traffic uses the proxy, and the browser makes no requests of its own. */
const CHROME_ALWAYS = [
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-gpu',
  '--no-pings',
]

const FIREFOX_PREFERENCES = {
  'javascript.options.wasm': false,
  'javascript.options.ion': false,
  'javascript.options.baselinejit': false,
}

const FIREFOX_ALWAYS = {
  'media.peerconnection.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.proxy.allow_hijacking_localhost': true,
  'network.trr.mode': 5,
}

type Browsers = Pick<Options, 'browser' | 'browserArguments' | 'extraPrefsFirefox' | 'launchOptionsExtra'>

export const usualBrowser: Browsers = { browser: 'chrome' }

/** Whether the pre-launched browser meets the challenge's options. */
export function isUsual({ browser, browserArguments, launchOptionsExtra }: Browsers): boolean {
  return browser === 'chrome' && browserArguments === undefined && launchOptionsExtra === undefined
}

export interface Launching {
  readonly surroundings: Surroundings
  readonly proxyPort: number
}

/** Launches a browser with a new profile whose only network access is the proxy. */
export async function launch(wanted: Browsers, { surroundings, proxyPort }: Launching): Promise<Browser> {
  const { browser, browserArguments, extraPrefsFirefox = FIREFOX_PREFERENCES } = wanted
  const path = browser === 'chrome' ? surroundings.chromiumPath : surroundings.firefoxPath
  if (path === null) throw new Error(`This worker has no ${browser === 'chrome' ? 'Chromium' : 'Firefox'}.`)
  const options: LaunchOptions = {
    ...wanted.launchOptionsExtra,
    executablePath: path,
    proxy: { server: `http://127.0.0.1:${proxyPort}` },
    timeout: LAUNCH_LIMIT_MS,
    headless: true,
    env: process.env as Record<string, string>,
  }
  if (browser === 'firefox')
    return await firefox.launch({ ...options, firefoxUserPrefs: { ...extraPrefsFirefox, ...FIREFOX_ALWAYS } })
  const args = [...(browserArguments ?? CHROME_ARGUMENTS), ...CHROME_ALWAYS]
  return await chromium.launch({ ...options, chromiumSandbox: surroundings.hasSandbox, args })
}
