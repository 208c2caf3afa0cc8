import { z } from 'zod'
import { reply, route } from './route.ts'

// The script of the analytics provider, relayed so that visitors ask nobody but the site (contract, participant 13.2).

/** How long a copy is good, here and at the caller's. */
export const scriptMaxAgeS = 3600

export const goodAnalyticsScript = reply(200, 'goodAnalyticsScript', 'The script.', z.string())
export const badAnalyticsScript = reply(404, 'badAnalyticsScript', 'Not Found')
export const errorAnalyticsScript = reply(502, 'errorAnalyticsScript', 'Bad Gateway')

export const getAnalyticsScript = route({
  method: 'GET',
  path: '/api/v2/integrations/analytics/script',
  summary: 'The script of the analytics provider.',
  auth: 'public',
  text: { type: 'application/javascript', maxAgeS: scriptMaxAgeS },
  replies: [goodAnalyticsScript, badAnalyticsScript, errorAnalyticsScript],
})

export const analyticsRouteList = [getAnalyticsScript] as const
