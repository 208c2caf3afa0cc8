import { z } from 'zod'
import { provider } from '../provider.ts'
import { HttpUrl } from '../../lib/service-url.ts'
import type { Analytics } from './analytics.ts'
import { fetchScript, withQuery } from './script.ts'

/** CSP sources of the tag, as listed by the vendor. */
const TAGS = 'https://*.googletagmanager.com'
const REPORTS = ['https://*.google-analytics.com', 'https://*.analytics.google.com']

export const googleAnalytics = provider<Analytics>()({
  name: 'analytics/google',
  options: z.strictObject({
    siteTag: z.string().min(1).describe('Measurement id, such as `G-XXXXXXX`. Not secret.'),
    scriptUrl: HttpUrl.default('https://www.googletagmanager.com/gtag/js').describe('URL of the script.'),
  }),

  start({ siteTag, scriptUrl }, context) {
    const url = withQuery(scriptUrl, 'id', siteTag)
    return {
      publicOptions: { siteTag },
      contentSources: { 'script-src': [TAGS], 'connect-src': [TAGS, ...REPORTS] },
      fetchScript: () => fetchScript(url, context),
    }
  },
})
