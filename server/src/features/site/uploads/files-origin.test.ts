import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'

const filesOrigin = 'https://files.ctf.example'
const SITE = 'ctf.example'
const FILES = 'files.ctf.example'
const content = 'alert(document.domain)'
const path = `/uploads/${createHash('sha256').update(content).digest('hex')}/a%20b.js`

let contest: Contest
beforeAll(async () => {
  contest = await startContest({ config: { filesOrigin } })
  const form = new FormData()
  form.append('files', new File([content], 'a b.js'))
  const { token } = await contest.admin()
  const { kind, data } = await contest.call(uploadFilesV2, { token, form })
  expect([kind, data]).toMatchObject(['goodFilesUpload', [{ url: path }]])
})
afterAll(() => contest[Symbol.asyncDispose]())

interface FileResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Sends a request with the given Host header, like a proxy that passes on the browser's. */
function ask(host: string, wanted: string): Promise<FileResponse> {
  return new Promise((resolve, reject) => {
    const asked = request(contest.url + wanted, { headers: { host } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on('error', reject).end()
  })
}

test('files are served on a separate origin, sandboxed and as attachments', async () => {
  const { status, headers, text } = await ask(FILES, path)
  expect([status, text]).toEqual([200, content])
  expect(headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename=/) as string,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000',
  })
})

test.each([SITE, `${SITE}:443`, '127.0.0.1:3000', 'evil.example', 'files.ctf.example.evil.example', ''])(
  'the stored address leads there from the host "%s"',
  async (host) => {
    const { status, headers, text } = await ask(host, path)
    expect([status, headers['location'], text]).toEqual([302, filesOrigin + path, ''])
    expect((await ask(host, `/uploads/${'0'.repeat(64)}/none`)).status).toBe(404)
  },
)

test.each([FILES, 'FILES.ctf.example', `${FILES}:443`])('%s serves only files', async (host) => {
  for (const wanted of [
    '/',
    '/challenges',
    '/api/v2/challs',
    '/api/healthz',
    '/metrics',
    '/theme.css',
    '/uploads',
  ]) {
    const { status, text } = await ask(host, wanted)
    expect([wanted, status, JSON.parse(text)]).toMatchObject([wanted, 404, { kind: 'badEndpoint' }])
  }
  expect((await ask(SITE, '/api/healthz')).status).toBe(200)
})

/** Sends the lines as they are, and returns the whole response. */
async function sendRaw(...lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(contest.url).port), '127.0.0.1')
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'))
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

test.each([
  [SITE, FILES],
  [FILES, SITE],
  [SITE, SITE],
])('two Host headers are refused: %s, %s', async (one, other) => {
  for (const wanted of ['/', path, '/api/v2/challs', '/api/healthz']) {
    const text = await sendRaw(`GET ${wanted} HTTP/1.1`, `Host: ${one}`, `host: ${other}`)
    expect([wanted, text.split('\r\n')[0]]).toEqual([wanted, 'HTTP/1.1 400 Bad Request'])
    expect(text).not.toContain(content)
  }
})

test.each([
  [`GET ${path} HTTP/1.1`, `host: ${SITE}`, `x-forwarded-host: ${FILES}`],
  [`GET http://${FILES}${path} HTTP/1.1`, `host: ${SITE}`],
  [`GET http://${SITE}${path} HTTP/1.1`, `host: ${FILES}`],
  [`GET ${path} HTTP/1.0`],
])('no other way of naming a host has the site itself serve a file: %s, %s', async (...lines) => {
  const text = await sendRaw(...lines)
  expect(text).toMatch(/^HTTP\/1\.1 (302|404) /)
  expect(text).not.toContain(content)
})

test('the site may show pictures from the files origin', async () => {
  const { headers } = await ask(SITE, '/')
  expect(headers['content-security-policy']).toContain(`img-src 'self' data: blob: ${filesOrigin};`)
})

test.each([
  { origin: 'https://ctf.example', hsts: 'max-age=31536000' },
  { origin: 'http://ctf.example', hsts: undefined },
])('HSTS is sent if the site uses https: $origin', async ({ origin, hsts }) => {
  await using other = await startContest({ config: { origin } })
  for (const wanted of ['/', '/api/v2/challs', '/api/v2/none', '/api/healthz', '/uploads/none']) {
    const { headers } = await fetch(other.url + wanted)
    expect([wanted, headers.get('strict-transport-security') ?? undefined]).toEqual([wanted, hsts])
  }
})
