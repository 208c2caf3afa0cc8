import type { CDPSession, Page } from 'playwright-core'

/** How many times slower a cheap phone's CPU is assumed to be than this machine's. */
export const PHONE_SLOWDOWN = 4
const BYTES_PER_SECOND = (1.6 * 1_000_000) / 8
const LATENCY_MS = 150

/** Throttles the page's CPU; 1 removes the throttling. */
export async function slowProcessor(session: CDPSession, times: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
}

/** Emulates a cheap phone on a mobile network: 1.6 Mbit/s in both directions, 150 ms latency. */
export async function makeSlowPhone(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await slowProcessor(session, PHONE_SLOWDOWN)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  })
}
