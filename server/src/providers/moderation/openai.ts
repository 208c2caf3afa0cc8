import { z } from 'zod'
import { requestJson } from '../request-json.ts'
import { provider, ProviderError } from '../provider.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import type { Moderation } from './moderation.ts'

/** A user waits for the response. */
const LIMIT_MS = 10_000

const Verdict = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) })

export const openaiModeration = provider<Moderation>()({
  name: 'moderation/openai',
  options: z.strictObject({
    apiKey: z.string().min(1).describe('API key.'),
    model: z.string().min(1).default('omni-moderation-latest').describe('Name of the model.'),
    apiUrl: ServiceUrl.default('https://api.openai.com/v1').describe('URL of the API.'),
  }),

  start({ apiKey, model, apiUrl }, { fetch }) {
    return {
      async isAllowed(picture) {
        const url = `data:image/webp;base64,${picture.toString('base64')}`
        const { status, value } = await requestJson({
          who: 'The moderation service',
          fetch,
          url: `${apiUrl}/moderations`,
          method: 'POST',
          token: apiKey,
          body: { model, input: [{ type: 'image_url', image_url: { url } }] },
          signal: AbortSignal.timeout(LIMIT_MS),
        })
        const verdict = Verdict.safeParse(value)
        if (status !== 200 || !verdict.success)
          throw new ProviderError(`The moderation service returned no verdict (status ${status}).`)
        return !verdict.data.results.some(({ flagged }) => flagged)
      },
    }
  },
})
