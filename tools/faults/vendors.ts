import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { startBucketStore } from '../../server/test/bucket-stores.ts'
import { instancerToken, startFakeInstancer } from '../../server/test/fake-instancer.ts'
import type { Cleanups } from './cleanup.ts'

// The services that a deployment calls, as local servers that can be slow, fail, refuse connections or hang.

export const MOODS = ['slow', 'failing', 'refusing', 'hanging'] as const
export type Mood = 'well' | (typeof MOODS)[number]

export interface Vendor {
  readonly url: string
  /** Connections that hang are closed when the vendor is well again, as by a restart. */
  setMood(mood: Mood): Promise<void>
}

/** What arrived at the vendors. */
export interface Received {
  /** By recipient: the links of its mails, with a one-time token or a team token. */
  readonly mails: Map<string, string[]>
  /** By idempotency key: how many posts were accepted. */
  readonly posts: Map<string, number>
}

export type VendorName = 'mail' | 'captcha' | 'bucket' | 'webhook' | 'instancer'

export interface Vendors {
  readonly all: Readonly<Record<VendorName, Vendor>>
  readonly received: Received
  /** Configuration of a deployment that uses them. */
  readonly config: Readonly<Record<string, unknown>>
}

const SLOW_MS = 5_000

export async function startVendors(cleanups: Cleanups): Promise<Vendors> {
  const received: Received = { mails: new Map(), posts: new Map() }
  const store = await startBucketStore('s3')
  const engine = await startFakeInstancer({ now: Date.now })
  await cleanups.add(async () => store[Symbol.asyncDispose]())
  await cleanups.add(async () => engine[Symbol.asyncDispose]())
  const all = {
    mail: await startMail(received, cleanups),
    captcha: await startVendor(async () => Response.json({ success: true }), cleanups),
    bucket: await startVendor(forwardTo(store.url), cleanups),
    webhook: await startVendor(async ({ headers }) => {
      const key = headers.get('idempotency-key') ?? ''
      received.posts.set(key, (received.posts.get(key) ?? 0) + 1)
      return new Response()
    }, cleanups),
    instancer: await startVendor(forwardTo(engine.url), cleanups),
  }
  const captcha = { siteKey: 'site', secretKey: 'secret', verifyUrl: all.captcha.url }
  const webhook = { name: 'messages/webhook', options: { url: all.webhook.url } }
  const instancer = { apiUrl: all.instancer.url, authToken: instancerToken }
  const config = {
    email: {
      from: 'ctf@ctf.example',
      provider: { name: 'emails/smtp', options: { smtpUrl: all.mail.url } },
    },
    captcha: {
      provider: { name: 'captcha/turnstile', options: captcha },
      protectedEndpoints: ['register', 'recover'],
    },
    uploadProvider: {
      name: 'uploads/s3',
      options: { ...store.options, endpoint: all.bucket.url, downloads: 'signed' },
    },
    bloodBot: { bloodsCount: 100, destinations: [{ provider: webhook }] },
    instancers: { main: { name: 'instancers/http', options: instancer } },
  }
  return { all, received, config }
}

type Respond = (request: Request) => Promise<Response>

async function startVendor(respond: Respond, cleanups: Cleanups): Promise<Vendor> {
  let mood: Mood = 'well'
  const port = await findFreePort()
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = incoming
      const body = await buffer(incoming)
      if (mood === 'hanging') return
      if (mood === 'slow') await delay(SLOW_MS)
      if (mood === 'failing') return void outgoing.writeHead(500).end()
      const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
      const init = { method, headers: pairs, ...(body.length > 0 && { body: new Uint8Array(body) }) }
      const response = await respond(new Request(`http://127.0.0.1:${port}${url}`, init))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    })().catch(() => outgoing.destroy())
  })
  await listen(server, port)
  await cleanups.add(() => close(server))
  return {
    url: `http://127.0.0.1:${port}`,
    async setMood(next) {
      if (mood === 'hanging') server.closeAllConnections()
      if (mood === 'refusing') await listen(server, port)
      if (next === 'refusing') await close(server)
      mood = next
    },
  }
}

/** The address in the request stays: signatures contain it. */
function forwardTo(url: string): Respond {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    return await forward(url + pathname + search, request)
  }
}

async function forward(url: string, request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer())
  const outgoing = send(url, { method: request.method, headers: Object.fromEntries(request.headers) })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const status = incoming.statusCode ?? 500
  const text = await buffer(incoming)
  const hasBody = request.method !== 'HEAD' && ![204, 304].includes(status)
  const headers = Object.entries(incoming.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  )
  return new Response(hasBody ? new Uint8Array(text) : null, { status, headers })
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

async function startMail({ mails }: Received, cleanups: Cleanups): Promise<Vendor> {
  let mood: Mood = 'well'
  const port = await findFreePort()
  const open = () => {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 1,
      onConnect: (_session, done) => void (mood === 'hanging' || done()),
      onMailFrom: (_address, _session, done) => {
        if (mood === 'hanging') return
        done(mood === 'failing' ? Object.assign(new Error('try again'), { responseCode: 451 }) : null)
      },
      onData: (stream, { envelope }, done) => {
        const accept = async (message: Buffer) => {
          if (mood === 'hanging') return
          if (mood === 'slow') await delay(SLOW_MS)
          for (const { address } of envelope.rcptTo)
            mails.set(address, [...(mails.get(address) ?? []), linkIn(message.toString())])
          done()
        }
        // The connection ended too early: nothing was accepted.
        buffer(stream).then(accept, () => {})
      },
    })
    // A client that gave up.
    server.on('error', () => {})
    return server
  }
  const start = async () => {
    const server = open()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  }
  let server: SMTPServer | null = await start()
  await cleanups.add(async () => {
    if (server) await stopMail(server)
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    async setMood(next) {
      if (server && (mood === 'hanging' || next === 'refusing')) {
        await stopMail(server)
        server = null
      }
      mood = next
      if (next !== 'refusing') server ??= await start()
    },
  }
}

async function stopMail(server: SMTPServer): Promise<void> {
  for (const connection of server.connections) connection.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

/** The link in the text part, which is quoted-printable. */
function linkIn(message: string): string {
  const text = message
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return /https?:\/\/\S+\/verify\S+/.exec(text)?.[0] ?? ''
}
