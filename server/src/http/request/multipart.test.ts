import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBodyBudget } from './body-budget.ts'
import { readForm, type FormOptions } from './multipart.ts'

type Refused = Awaited<ReturnType<typeof readForm>>

/** A server that parses each request as a form and records the results. */
async function openFormServer(
  options: Partial<FormOptions<never>> & { onRequest?(raw: IncomingMessage): void } = {},
) {
  const seen: { field: string | undefined; name: string | undefined; content: string }[] = []
  const ends: (Refused | Error)[] = []
  const onFile: FormOptions<never>['onFile'] = async ({ field, name, content }) => {
    seen.push({ field, name, content: await text(content) })
    return null
  }
  async function handle(raw: IncomingMessage): Promise<string> {
    options.onRequest?.(raw)
    const account = createBodyBudget(1024 * 1024).open(null)
    const end = await readForm(
      { raw, headers: raw.headers, account },
      { cap: 1_000_000, onFile, ...options },
    ).catch((error: Error) => error)
    ends.push(end)
    if (end instanceof Error) return end.name
    const data = end?.data as { reason?: string; maxSize?: number } | undefined
    return data ? (data.reason ?? `over ${data.maxSize}`) : 'read'
  }
  const server = createServer((raw, response) => void handle(raw).then((result) => response.end(result)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    seen,
    ends,
    async send(init: RequestInit): Promise<string> {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...init })
      return response.text()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const type = { 'content-type': 'multipart/form-data; boundary=xx' }

function part(headers: string, content: string): string {
  return `--xx\r\n${headers}\r\n\r\n${content}\r\n`
}

const file = (name: string, content: string) =>
  part(`content-disposition: form-data; name="files"; filename="${name}"`, content)

test('files arrive in order with their names unchanged', async () => {
  await using form = await openFormServer()
  const body = `${file('a.txt', 'one')}${file('ünï/../b', '')}${file('a.txt', 'three')}--xx--\r\n`
  expect(await form.send({ headers: type, body })).toBe('read')
  expect(form.seen).toEqual([
    { field: 'files', name: 'a.txt', content: 'one' },
    { field: 'files', name: 'ünï/../b', content: '' },
    { field: 'files', name: 'a.txt', content: 'three' },
  ])
})

test('names have the quotation marks and line breaks that browsers escape', async () => {
  await using form = await openFormServer()
  const body = `${file('a %22b%22 100%25.txt', '')}${file('a%0Db%0A', '')}${file('%2F%', '')}--xx--\r\n`
  expect(await form.send({ headers: type, body })).toBe('read')
  expect(form.seen.map(({ name }) => name)).toEqual(['a "b" 100%25.txt', 'a\rb\n', '%2F%'])
})

test('reads forms as browsers and scripts send them', async () => {
  await using form = await openFormServer()
  const data = new FormData()
  data.append('files', new File(['x'.repeat(200_000)], 'big'))
  expect(await form.send({ body: data })).toBe('read')
  expect(form.seen).toMatchObject([{ name: 'big', content: 'x'.repeat(200_000) }])
})

test('a request without body and content type is an empty form', async () => {
  await using form = await openFormServer()
  expect(await form.send({})).toBe('read')
  expect(await form.send({ body: new FormData() })).toBe('read')
  expect(form.seen).toEqual([])
})

test('any other content type is malformed, with or without a body', async () => {
  await using form = await openFormServer()
  for (const contentType of [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/mixed; boundary=xx',
    'nonsense',
  ]) {
    const headers = { 'content-type': contentType }
    expect(await form.send({ headers, body: 'a=1' }), contentType).toBe('body:formData:malformed')
  }
  const compressed = { ...type, 'content-encoding': 'gzip' }
  expect(await form.send({ headers: compressed, body: '--xx--' })).toBe('body:formData:malformed')
  expect(await form.send({ body: new Uint8Array([1]) })).toBe('body:formData:malformed')
})

test('a form truncated anywhere is malformed and neither succeeds nor hangs', async () => {
  const fields = part('content-disposition: form-data; name="note"', 'text')
  const body = `${fields}${file('a.txt', 'one')}${file('b', 'two')}--xx--`
  await using form = await openFormServer()
  for (let length = 0; length < body.length - 2; length++) {
    const cut = body.slice(0, length)
    expect(await form.send({ headers: type, body: cut }), JSON.stringify(cut)).toBe('body:formData:malformed')
  }
  expect(await form.send({ headers: type, body })).toBe('read')
})

test('garbage is malformed', async () => {
  await using form = await openFormServer()
  for (const body of [
    'garbage',
    '--xx',
    '--yy\r\n\r\n--yy--',
    '\r\n\r\n\r\n',
    '--xx\r\n\r\n',
    '\0'.repeat(5000),
  ]) {
    expect(await form.send({ headers: type, body }), body).toBe('body:formData:malformed')
  }
})

test('a form over the cap is rejected by its declared length or while it is read', async () => {
  await using form = await openFormServer({ cap: 1000 })
  const body = `${file('a', 'x'.repeat(2000))}--xx--`
  expect(await form.send({ headers: type, body })).toBe('over 1000')
  expect(form.seen).toEqual([])
  const chunks = new ReadableStream({
    pull(controller) {
      controller.enqueue(Buffer.from(body))
      controller.close()
    },
  })
  expect(await form.send({ headers: type, body: chunks, duplex: 'half' } as RequestInit)).toBe('over 1000')
})

test('a slow reader of a large file causes backpressure, not buffering', async () => {
  const size = 20 * 1024 * 1024
  let received = () => 0
  let taken = 0
  let most = 0
  await using form = await openFormServer({
    cap: 2 * size,
    onRequest: (raw) => (received = () => raw.socket.bytesRead),
    async onFile({ content }) {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        taken += chunk.length
        most = Math.max(most, received() - taken)
        // The reader is slower than the network.
        await turn()
      }
      return null
    },
  })
  const data = new FormData()
  data.append('files', new File([Buffer.alloc(size, 'x')], 'big'))
  expect(await form.send({ body: data })).toBe('read')
  expect(taken).toBe(size)
  expect(most).toBeLessThan(1024 * 1024)
})

test('too many parts or fields are rejected', async () => {
  await using form = await openFormServer()
  const many = part('content-disposition: form-data; name="a"', '').repeat(101)
  expect(await form.send({ headers: type, body: `${many}--xx--` })).toMatch(/^body:formData: .*too many/)
  const files = file('a', '').repeat(1001)
  expect(await form.send({ headers: type, body: `${files}--xx--` })).toMatch(/^body:formData: .*too many/)
})

test('a closed connection is an AbortedError, not a malformed form', async () => {
  let isReading = () => {}
  const reading = new Promise<void>((resolve) => (isReading = resolve))
  const ended: string[] = []
  await using form = await openFormServer({
    async onFile({ content }) {
      isReading()
      await text(content).catch(() => ended.push('ended'))
      return null
    },
  })
  const socket = connect(form.port, '127.0.0.1')
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\ncontent-type: ${type['content-type']}\r\n\r\n`
  socket.write(`${head}${file('a', 'x').slice(0, -2)}${'y'.repeat(1000)}`)
  await reading
  socket.destroy()
  while (form.ends.length === 0) await turn()
  expect(form.ends).toMatchObject([{ name: 'AbortedError' }])
  // The stream of the file ended, so its reader can clean up.
  expect(ended).toEqual(['ended'])
})
