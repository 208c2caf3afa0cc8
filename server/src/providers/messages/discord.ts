import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../service-url.ts'
import type { Markup, Messages } from './messages.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

/** Longer content is refused. */
const MAX_CONTENT = 2000

/** Everything that can begin a format, a list, a link, a mention or an emoji. */
const MARKUP = /[\\*_~`|<>#\-+[\]():@/]/g

const markup: Markup = {
  text: (value) => value.replace(MARKUP, String.raw`\$&`),
  // A backslash would become part of a bare address.
  url: (value) => value.replace(/[()<>\s\\]/g, encodeURIComponent),
}

export const discordMessages = provider<Messages>()({
  name: 'messages/discord',
  options: z.strictObject({
    url: ServiceUrl.describe('Address of the webhook; whoever has it can write there.'),
    apiUrl: ServiceUrl.optional().describe('Address that stands in for `https://discord.com`.'),
  }),

  start({ url, apiUrl }, world) {
    const { pathname, search } = new URL(url)
    const target = apiUrl === undefined ? url : apiUrl + pathname + search
    return {
      markup,
      // Angle brackets keep the page from being shown below the message.
      template:
        '{{#bloodEmoji}}{{bloodEmoji}} {{/bloodEmoji}}Congratulations to [{{teamName}}](<{{teamUrl}}>) ' +
        'for {{bloodNumOrdinal}} blood on **{{challengeCategory}}/{{challengeName}}**!',

      async send({ text }, signal) {
        const content = text.slice(0, MAX_CONTENT)
        await callService(
          {
            service: 'messages/discord',
            url: target,
            headers: { 'content-type': 'application/json' },
            // Nobody is pinged, whatever a team calls itself.
            body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
            limitMs: SEND_LIMIT_MS,
            signal,
            secrets: [target, pathname + search],
          },
          world,
        )
      },
    }
  },
})
