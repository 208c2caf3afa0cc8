import type { CaptchaChallenge } from '@pennant/contract/captcha.ts'
import type { z } from 'zod'
import type { Markers } from '../../lib/key-value.ts'
import type { ContentSources } from '../content-sources.ts'
import type { ProviderWorld } from '../provider.ts'

/** Tells people from programs before an action that costs something. */
export interface Captcha {
  /** What the site needs to show the widget. Goes to every visitor: never a secret. */
  readonly publicOptions: Readonly<Record<string, string>>
  /** What the widget loads, which the page must allow. */
  readonly contentSources: ContentSources
  /** A fresh task, from providers that set them themselves. */
  issue?(): z.output<typeof CaptchaChallenge>
  /**
   * Whether the code is good for this visitor. A service that does not answer has not said yes; only a store of our
   * own that is away makes it reject.
   */
  verify(code: string, ip: string): Promise<boolean>
}

/** What a captcha without an outside service needs of this one. */
export interface CaptchaWorld extends ProviderWorld {
  readonly markers: Markers
  /** Of this deployment and for captchas alone. */
  readonly signingKey: Buffer
}
