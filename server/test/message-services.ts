import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sendJson, startHttpService, type RequestResponder, type HttpService } from './http-service.ts'

/** What a target has accepted: the displayed text, or the payload of a webhook. */
export interface MessageService extends HttpService {
  readonly accepted: readonly unknown[]
  /** Provider options that point at this fake. */
  readonly options: Readonly<Record<string, unknown>>
  /** The next requests fail this way instead of being accepted. */
  fail(times: number, failure: Failure): void
}

export type Failure = 'busy' | 'broken' | 'nothing'
type Name = 'discord' | 'telegram' | 'webhook'

export const secrets = {
  discordPath: '/api/webhooks/1/discord-secret',
  botToken: '123:telegram-secret',
  signing: 'webhook-secret',
}

type Taken = { readonly shown: unknown } | null
const targets: Readonly<Record<Name, (...asked: Parameters<RequestResponder>) => Taken>> = {
  discord({ url, headers, body }, response) {
    const { content, allowed_mentions, ...rest } = JSON.parse(String(body))
    const isSound =
      headers['content-type'] === 'application/json' &&
      typeof content === 'string' &&
      content.length <= 2000 &&
      JSON.stringify(allowed_mentions) === '{"parse":[]}' &&
      Object.keys(rest).length === 0
    if (url !== secrets.discordPath || !isSound) return refuse(response, { message: `Unknown ${url}` })
    // No body, like the public service.
    response.writeHead(204).end()
    return { shown: content }
  },

  telegram({ url, body }, response) {
    const { text, parse_mode, chat_id, ...rest } = JSON.parse(String(body))
    if (url !== `/bot${secrets.botToken}/sendMessage`)
      return refuse(response, { description: 'Unauthorized' })
    if (chat_id !== '-100' || parse_mode !== 'MarkdownV2' || !isMarkdownV2(text))
      return refuse(response, {
        ok: false,
        error_code: 400,
        description: "Bad Request: can't parse entities",
      })
    sendJson(response, 200, { ok: true, result: { message_id: 1 } })
    return { shown: 'message_thread_id' in rest ? { text, thread: rest.message_thread_id } : text }
  },

  webhook({ headers, body }, response) {
    const timestamp = String(headers['x-svc-timestamp'])
    const mac = createHmac('sha256', secrets.signing).update(`${timestamp}.${body}`).digest('hex')
    if (headers['x-svc-signature'] !== `sha256=${mac}`) return refuse(response, { message: 'bad signature' })
    response.end('ok')
    return { shown: JSON.parse(String(body)) }
  },
}

function refuse(response: ServerResponse, body: object): null {
  sendJson(response, 400, body)
  return null
}

/** Whether MarkdownV2's reserved characters occur only in escapes, links and bold text. */
function isMarkdownV2(text: string): boolean {
  const rest = text
    .replace(/\\[\x21-\x7e]/g, '')
    .replace(/\[([^[\]]*)\]\(([^()\\]*)\)/g, '$1')
    .replace(/\*([^*]*)\*/g, '$1')
  return !/[_*[\]()~`>#+\-=|{}.!\\]/.test(rest)
}

/** Starts a fake of the public service of a message target. */
export async function startMessageService(name: Name): Promise<MessageService> {
  const accepted: unknown[] = []
  let failures: Failure[] = []
  const service = await startHttpService((asked, response, raw) => {
    const failure = failures.shift()
    if (failure === 'nothing') return void raw.socket.destroy()
    if (failure === 'broken') return void response.writeHead(500).end('<html>')
    if (failure === 'busy') return sendBusy(name, response)
    const done = targets[name](asked, response, raw)
    if (done) accepted.push(done.shown)
  })
  const options = {
    discord: { url: service.url + secrets.discordPath },
    telegram: { botToken: secrets.botToken, chatId: -100, apiUrl: service.url },
    webhook: { url: `${service.url}/hook`, secret: secrets.signing },
  }[name]
  return Object.assign(service, {
    accepted,
    options,
    fail: (times: number, failure: Failure) => {
      failures = Array.from({ length: times }, () => failure)
    },
  })
}

/** Each service reports the retry delay its own way: 0.1 s, or 1 s where it must be whole seconds. */
function sendBusy(name: Name, response: ServerResponse): void {
  if (name === 'discord')
    return sendJson(response, 429, { message: 'You are being rate limited.', retry_after: 0.1 })
  if (name === 'telegram')
    return sendJson(response, 429, {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 1',
      parameters: { retry_after: 1 },
    })
  response.writeHead(429, { 'retry-after': '1' }).end()
}
