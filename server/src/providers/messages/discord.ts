import { z } from 'zod'
import { cut } from '../../lib/cut.ts'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import type { Markup, Messages } from './messages.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

/** Discord rejects longer content. */
const MAX_CONTENT = 2000

/** Every character that can start formatting, a list, a link, a mention or an emoji. */
const MARKUP = /[\\*_~`|<>#\-+[\]():@/]/g

const markup: Markup = {
  text: (value) => value.replace(MARKUP, String.raw`\$&`),
  // A backslash would become part of a bare URL.
  url: (value) => value.replace(/[()<>\s\\]/g, encodeURIComponent),
}

export const discordMessages = provider<Messages>()({
  name: 'messages/discord',
  options: z.strictObject({
    url: ServiceUrl.describe('URL of the webhook. Keep it secret: anyone who has it can post.'),
    apiUrl: ServiceUrl.optional().describe('Replacement for `https://discord.com`.'),
  }),

  start({ url, apiUrl }, context) {
    const { pathname, search } = new URL(url)
    const target = apiUrl === undefined ? url : apiUrl + pathname + search
    return {
      markup,
      // Angle brackets suppress the link preview.
      template:
        '{{#bloodEmoji}}{{bloodEmoji}} {{/bloodEmoji}}Congratulations to [{{teamName}}](<{{teamUrl}}>) ' +
        'for {{bloodNumOrdinal}} blood on **{{challengeCategory}}/{{challengeName}}**!',

      async send({ text }, signal) {
        const content = cut(text, MAX_CONTENT)
        await callService(
          {
            service: 'messages/discord',
            url: target,
            headers: { 'content-type': 'application/json' },
            // Suppresses mentions, whatever a team's name is.
            body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
            limitMs: SEND_LIMIT_MS,
            signal,
            secrets: [target, pathname + search],
          },
          context,
        )
      },
    }
  },
})
