import type { Provider } from '../provider.ts'
import type { Analytics } from './analytics.ts'
import { cloudflareAnalytics } from './cloudflare.ts'
import { googleAnalytics } from './google.ts'

export const analyticsProviders: readonly Provider<Analytics>[] = [googleAnalytics, cloudflareAnalytics]
