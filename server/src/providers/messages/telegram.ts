import { z } from 'zod'
import { callService } from '../call-service.ts'
import { provider } from '../provider.ts'
import { ServiceUrl } from '../service-url.ts'
import type { Markup, Messages } from './messages.ts'
import { SEND_LIMIT_MS } from './send-limit.ts'

/** All that MarkdownV2 reserves; escaped, they are plain everywhere, in the address of a link too. */
const RESERVED = /[\\_*[\]()~`>#+\-=|{}.!]/g
const escape = (value: string) => value.replace(RESERVED, String.raw`\$&`)
const markup: Markup = { text: escape, url: escape }

/** An unquoted id becomes a number in YAML. */
const Id = z.union([z.string().min(1), z.int()]).transform(String)

export const telegramMessages = provider<Messages>()({
  name: 'messages/telegram',
  options: z.strictObject({
    botToken: z
      .string()
      .regex(/^[\w:-]+$/, { error: 'must be the token of a bot, such as 123:abc' })
      .describe('Token of the bot.'),
    chatId: Id.describe('Chat to write to: its number, or `@name` of a channel.'),
    threadId: z.coerce.number().int().optional().describe('Topic in the chat.'),
    apiUrl: ServiceUrl.default('https://api.telegram.org').describe('Address of the API.'),
  }),

  start({ botToken, chatId, threadId, apiUrl }, world) {
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
          world,
        )
      },
    }
  },
})
