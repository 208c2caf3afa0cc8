import { execFile, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../harness.ts'

// A body that is rejected before it is read: the client must receive the response instead of a connection
// reset.

const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0

const UPLOADS = [
  ['POST', '/api/v2/admin/upload', 'files'],
  ['PATCH', '/api/v2/users/me/avatar', 'avatar'],
] as const
const SIZES = [10, 1000, 65_536, 262_144, 1_048_576, 2_000_000]
/** Without the fix, at least a third of the attempts get no response. */
const TRIES = 16
const TOGETHER = 8

let contest: Contest
beforeAll(async () => {
  contest = await startContest()
})
afterAll(() => contest[Symbol.asyncDispose]())

const cases = UPLOADS.flatMap(([method, path, field]) =>
  SIZES.map(
    (size) => [`${method} ${path}, ${size} bytes`, { url: contestUrl(path), method, field, size }] as const,
  ),
)

function contestUrl(path: string): () => string {
  return () => contest.url + path
}

type Upload = (typeof cases)[number][1]

async function tryOften(send: () => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let tries = 0; tries < TRIES; tries += TOGETHER) {
    const results = await Promise.all(
      Array.from({ length: TOGETHER }, () => send().catch((error: Error) => String(error.cause ?? error))),
    )
    for (const result of results) counts[result] = (counts[result] ?? 0) + 1
  }
  return counts
}

async function byFetch({ url, method, field, size }: Upload): Promise<string> {
  const body = new FormData()
  body.append(field, new File([new Uint8Array(size)], 'a.png'))
  const response = await fetch(url(), { method, body })
  return ((await response.json()) as { kind: string }).kind
}

async function byCurl({ url, method, field, size }: Upload): Promise<string> {
  const form = `${field}=${'x'.repeat(Math.min(size, 100_000))}`
  const forms = Array.from({ length: Math.ceil(size / 100_000) }, () => ['-F', form]).flat()
  const { stdout } = await run('curl', ['-sS', '-X', method, ...forms, url()])
  return (JSON.parse(stdout) as { kind: string }).kind
}

describe('without a token', () => {
  test.each(cases)('fetch gets the response to %s', async (_name, upload) => {
    expect(await tryOften(() => byFetch(upload))).toEqual({ badToken: TRIES })
  })

  test.skipIf(!hasCurl).each(cases)('curl gets the response to %s', async (_name, upload) => {
    expect(await tryOften(() => byCurl(upload))).toEqual({ badToken: TRIES })
  })
})

test('a body at an unknown path gets its response too', async () => {
  const url = contestUrl('/api/v2/nothing')
  const upload = { url, method: 'POST', field: 'files', size: 2_000_000 } as const
  expect(await tryOften(() => byFetch(upload as unknown as Upload))).toEqual({ badEndpoint: TRIES })
})

test('an endless body gets the response, and its connection is closed', async () => {
  const socket = connect(Number(new URL(contest.url).port), '127.0.0.1').on('error', () => {})
  let received = ''
  socket.on('data', (bytes) => (received += String(bytes)))
  socket.write('POST /api/v2/admin/upload HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', send)
  send()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(received).toMatch(/^HTTP\/1\.1 401 [^]*connection: close[^]*"badToken"/)
})
