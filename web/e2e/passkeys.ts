import type { Page } from 'playwright-core'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { openSite } from './harness.ts'

/** Passkeys belong to a name, so the site has one. */
export async function openNamedSite(config: Readonly<Record<string, unknown>> = {}) {
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  return { origin, site: await openSite({ origin, port, ...config }) }
}

interface Plugged {
  setUserVerified(isUserVerified: boolean): Promise<unknown>
  credentials(): Promise<readonly unknown[]>
}

/** An authenticator of Chromium that needs no hand, or one whose user turns away. */
export async function plugIn(page: Page): Promise<Plugged> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setUserVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}
