import type { CDPSession, Page } from 'playwright-core'

/** How many times slower than this machine's the processor of a cheap phone is taken to be. */
export const PHONE_SLOWDOWN = 4
const BYTES_PER_SECOND = (1.6 * 1_000_000) / 8
const LATENCY_MS = 150

/** Slows a page's processor. 1 takes it back. */
export async function slowProcessor(session: CDPSession, times: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
}

/** A cheap phone on a mobile network: 1.6 Mbit/s both ways, 150 ms for an answer. */
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
