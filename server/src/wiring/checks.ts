import type { Config } from '../config/config.ts'
import type { Subject } from '../ops/diagnosis/check.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** What the checks of a running server look at. */
export function checkedSubject(config: Config, { db, now }: Stores, providers: Providers): Subject {
  return {
    config,
    now,
    db,
    uploads: async () => providers.uploads,
    email: async () => providers.email,
    captcha: async () => providers.captcha,
    instancers: async () => providers.instancers,
  }
}
