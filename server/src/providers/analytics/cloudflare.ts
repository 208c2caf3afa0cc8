import { z } from 'zod'
import { provider } from '../provider.ts'
import { HttpUrl } from '../../lib/service-url.ts'
import type { Analytics } from './analytics.ts'
import { fetchScript, withQuery } from './script.ts'

export const cloudflareAnalytics = provider<Analytics>()({
  name: 'analytics/cloudflare',
  options: z.strictObject({
    token: z.string().min(1).describe('Token of the site. Not secret.'),
    scriptUrl: HttpUrl.default('https://static.cloudflareinsights.com/beacon.min.js').describe(
      'URL of the script.',
    ),
  }),

  start({ token, scriptUrl }, context) {
    const url = withQuery(scriptUrl, 'token', token)
    return {
      publicOptions: { token },
      contentSources: {
        'script-src': ['https://static.cloudflareinsights.com'],
        'connect-src': ['https://cloudflareinsights.com'],
      },
      fetchScript: () => fetchScript(url, context),
    }
  },
})
