import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../../lib/service-url.ts'
import type { Markup, Messages } from './messages.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

/** All reserved characters of MarkdownV2; escaped they are literal everywhere, including in link URLs. */
const RESERVED = /[\\_*[\]()~`>#+\-=|{}.!]/g
const escape = (value: string) => value.replace(RESERVED, String.raw`\$&`)
const markup: Markup = { text: escape, url: escape }

/** YAML parses an unquoted id as a number. */
const Id = z.union([z.string().min(1), z.int()]).transform(String)

export const telegramMessages = provider<Messages>()({
  name: 'messages/telegram',
  options: z.strictObject({
    botToken: z
      .string()
      .regex(/^[\w:-]+$/, { error: 'must be the token of a bot, such as 123:abc' })
      .describe('Token of the bot.'),
    chatId: Id.describe('Chat id, or `@name` of a channel.'),
    threadId: z.coerce.number().int().optional().describe('Topic of the chat.'),
    apiUrl: ServiceUrl.default('https://api.telegram.org').describe('URL of the API.'),
  }),

  start({ botToken, chatId, threadId, apiUrl }, context) {
    return {
      markup,
      template:
        '{{#bloodEmoji}}{{bloodEmoji}} {{/bloodEmoji}}Congratulations to [{{teamName}}]({{teamUrl}}) ' +
        String.raw`for {{bloodNumOrdinal}} blood on *{{challengeCategory}}/{{challengeName}}*\!`,

      async send({ text }, signal) {
        const message = {
          chat_id: chatId,
          ...(threadId === undefined ? {} : { message_thread_id: threadId }),
          text,
          parse_mode: 'MarkdownV2',
          link_preview_options: { is_disabled: true },
        }
        await callService(
          {
            service: 'messages/telegram',
            url: `${apiUrl}/bot${botToken}/sendMessage`,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(message),
            limitMs: SEND_LIMIT_MS,
            signal,
            secrets: [botToken],
          },
          context,
        )
      },
    }
  },
})
