import { z } from 'zod'
import { reply, route } from './route.ts'

// The analytics script, relayed so that browsers send requests to this site only:
// docs/reference/client-config.md#analytics-script

/** Cache lifetime of the script, on the server and in browsers. */
export const SCRIPT_MAX_AGE_S = 3600

export const goodAnalyticsScript = reply(200, 'goodAnalyticsScript', 'The script.', z.string())
export const badAnalyticsScript = reply(404, 'badAnalyticsScript', 'Not Found')
export const errorAnalyticsScript = reply(502, 'errorAnalyticsScript', 'Bad Gateway')

export const getAnalyticsScript = route({
  method: 'GET',
  path: '/api/v2/integrations/analytics/script',
  summary: 'The script of the analytics provider.',
  auth: 'public',
  shows: [],
  text: { type: 'application/javascript', maxAgeS: SCRIPT_MAX_AGE_S },
  limits: ['publicReads'],
  compatible: true,
  replies: [goodAnalyticsScript, badAnalyticsScript, errorAnalyticsScript],
})

export const analyticsRouteList = [getAnalyticsScript] as const
