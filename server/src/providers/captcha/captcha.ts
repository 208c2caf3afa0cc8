import type { CaptchaChallenge } from '@pennant/contract/captcha.ts'
import type { z } from 'zod'
import type { Markers } from '../../lib/key-value.ts'
import type { ContentSources } from '../content-sources.ts'
import type { ProviderContext } from '../provider.ts'

/** Distinguishes people from programs before an expensive action. */
export interface Captcha {
  /** What the site needs to show the widget. Sent to every visitor: never a secret. */
  readonly publicOptions: Readonly<Record<string, string>>
  /** CSP sources that the widget needs. */
  readonly contentSources: ContentSources
  /** Creates a new challenge, for providers that issue their own. */
  issue?(): z.output<typeof CaptchaChallenge>
  /**
   * Whether the code is valid for this visitor. False when the service does not respond; rejects only when
   * our own datastore is unavailable.
   */
  verify(code: string, ip: string): Promise<boolean>
  /** The service's objection to the secret key, or null. Absent for providers without a service. */
  checkSecret?(): Promise<string | null>
}

/** What a self-hosted captcha needs from the platform. */
export interface CaptchaContext extends ProviderContext {
  readonly markers: Markers
  /** Derived for this deployment and for captchas only. */
  readonly signingKey: Buffer
}
