import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { fileURLToPath } from 'node:url'
import { headersOf, type RequestSpec } from '../generator/plan.ts'

/** A node:http server that sends the bytes of another one. */
export interface PlainServer extends Disposable {
  readonly url: string
  readonly pid: number | null
  /** Copies a response, headers included, and returns the path that sends it. Throws if it is not a success. */
  copy(url: string, spec: RequestSpec): Promise<{ path: string; bodyBytes: number }>
}

export async function startPlainServer(): Promise<PlainServer> {
  const script = fileURLToPath(new URL('plain-server.mjs', import.meta.url))
  const child = fork(script, { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  let copies = 0
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? null,
    async copy(url, spec) {
      const { status, headers, body } = await receive(url, spec)
      if (status !== 200) throw new Error(`${spec.path}: status ${status}`)
      const path = `/${(copies += 1)}`
      child.send({ path, status, headers, body: body.toString('base64') })
      await once(child, 'message')
      return { path, bodyBytes: body.length }
    },
    [Symbol.dispose]: () => void child.kill(),
  }
}

/** Headers that node:http adds itself, or that belong to the connection. */
const OF_CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function receive(url: string, spec: RequestSpec) {
  const send = url.startsWith('https:') ? requestTls : request
  const sent = send(url + spec.path, { method: spec.method, headers: headersOf(spec) })
  sent.end(spec.body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  const kept = Object.entries(response.headers).filter(([name]) => !OF_CONNECTION.includes(name))
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries([...kept, ['content-length', String(body.length)]]),
    body,
  }
}
