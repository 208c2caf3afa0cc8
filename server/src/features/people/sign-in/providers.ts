import { openIdProvider } from './openid.ts'
import { plainOauthProvider } from './plain-oauth.ts'
import type { Provider, ProviderContext, ProviderOptions } from './provider.ts'

export function createProviders(list: readonly ProviderOptions[], context: ProviderContext): Provider[] {
  return list.map((options) =>
    options.isPlainOauth ? plainOauthProvider(options, context) : openIdProvider(options, context),
  )
}
