import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startContest, type Contest } from '../harness.ts'
import { responsesIn, exchange } from './sockets.ts'

// Requests that no client library would send: ambiguous body lengths, and bytes that are not HTTP.

const CONFIG = '/api/v2/integrations/client/config'

let contest: Contest
/** The incomplete head of a request that changes the caller's own team. */
let patch: string

beforeAll(async () => {
  contest = await startContest()
  const { token } = await contest.team()
  patch = `PATCH /api/v2/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n`
})
afterAll(() => contest[Symbol.asyncDispose]())

const lines = (...texts: readonly string[]) => `${texts.join('\r\n')}\r\n\r\n`
const get = (target: string, ...headers: readonly string[]) =>
  lines(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers)

/** The kinds of all responses, after checking that each has the envelope and its headers. */
async function kindsOf(sent: string, options?: { readonly halfClose: boolean }): Promise<string[]> {
  const responses = responsesIn(await exchange(contest.url, sent, options))
  return responses
    .filter(({ status }) => status !== 100)
    .map(({ status, head, body }) => {
      expect(status).toBeLessThan(500)
      expect(head).toContain('x-content-type-options: nosniff')
      expect(head).toContain('content-type: application/json; charset=utf-8')
      const { kind, message } = JSON.parse(body) as { kind: string; message: string }
      expect(message).toBeTypeOf('string')
      return kind
    })
}

describe('the end of a body is never ambiguous', () => {
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'
  const smuggled = get(CONFIG)

  test.each([
    ['a length and chunks', `Content-Length: 5\r\n${chunked}${smuggled}`],
    ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunks twice', `Transfer-Encoding: chunked\r\n${chunked}`],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['the coding that is none', 'Transfer-Encoding: identity\r\n\r\n{}'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['chunks of no number', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['chunks below zero', 'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n'],
    ['chunks without end', 'Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['lines without carriage return', 'Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n'],
    ['a long extension', `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    ['a length below zero', 'Content-Length: -1\r\n\r\n{}'],
    ['a length with a sign', 'Content-Length: +2\r\n\r\n{}'],
    ['a hexadecimal length', 'Content-Length: 0x2\r\n\r\n{}'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['a list of lengths', 'Content-Length: 2, 2\r\n\r\n{}'],
    ['a length beyond all numbers', 'Content-Length: 99999999999999999999\r\n\r\n{}'],
  ])('%s', async (_name, rest) => {
    expect(await kindsOf(patch + rest)).toEqual(['badBody'])
  })

  test('a length beyond the cap is refused before the body is read', async () => {
    expect(await kindsOf(`${patch}Content-Length: 9007199254740993\r\n\r\n{}`)).toEqual(['badBodySize'])
  })

  test('accepts chunks, extensions, trailers and Expect: 100-continue', async () => {
    const trailer = 'Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nAuthorization: x\r\n\r\n'
    for (const rest of [chunked, trailer, 'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}']) {
      expect(await kindsOf(patch + rest), rest).toEqual(['goodUserUpdate'])
    }
  })

  test('a truncated request gets no response or badBody', async () => {
    expect(await kindsOf(`GET ${CONFIG}\r\n`, { halfClose: true })).toEqual(['badBody'])
    for (const rest of ['Content-Length: 10\r\n\r\n{}', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{']) {
      expect((await kindsOf(patch + rest, { halfClose: true })).filter((kind) => kind !== 'badBody')).toEqual(
        [],
      )
    }
  })

  test('bytes after an unread body are not parsed as a request', async () => {
    const hidden = lines('GET /api/v2/users/me HTTP/1.1', 'Host: x')
    const first = get(CONFIG, `Content-Length: ${hidden.length}`)
    expect(await kindsOf(first + hidden)).toEqual(['goodClientConfig'])
  })

  test('pipelined requests get their responses in order', async () => {
    const one = lines(`GET ${CONFIG} HTTP/1.1`, 'Host: x')
    const other = lines('GET /api/v2/nothing HTTP/1.1', 'Host: x')
    expect(await kindsOf(one + other + one + get('/api/v2/challs'))).toEqual([
      'goodClientConfig',
      'badEndpoint',
      'goodClientConfig',
      'goodChallenges',
    ])
  })
})

describe('invalid HTTP gets the envelope', () => {
  test.each([
    ['no host', lines(`GET ${CONFIG} HTTP/1.1`, 'Connection: close')],
    ['another version', lines(`GET ${CONFIG} HTTP/3.7`, 'Host: x')],
    ['the preface of version 2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['NUL bytes', '\0\0\0\0\r\n\r\n'],
    ['an unknown method', lines(`FOO ${CONFIG} HTTP/1.1`, 'Host: x')],
    ['a NUL in a header', get(CONFIG, 'X: a\0b')],
    ['a lone carriage return', get(CONFIG, 'X: a\rb')],
    ['a folded header', get(CONFIG, 'X: a\r\n b')],
    ['a header without a colon', get(CONFIG, 'nothing')],
    ['a header without a name', get(CONFIG, ': x')],
    ['a header of 20,000 bytes', get(CONFIG, `X: ${'a'.repeat(20_000)}`)],
    ['a path of 20,000 bytes', get(`/${'a'.repeat(20_000)}`)],
    ['a space in the path', get('/a b')],
    ['a NUL in the path', get('/a\0b')],
    ['bytes of no encoding in the path', get('/api/v2/users/\xff\xfe')],
  ])('%s', async (_name, sent) => {
    expect(await kindsOf(sent)).toEqual(['badBody'])
  })
})

describe('unusual but valid HTTP', () => {
  test.each([
    ['an old version', lines(`GET ${CONFIG} HTTP/1.0`), 'goodClientConfig'],
    ['the address of another site', get(`http://evil.example${CONFIG}`), 'goodClientConfig'],
    ['an expectation of no meaning', get(CONFIG, 'Expect: nonsense'), 'goodClientConfig'],
    ['another protocol', get(CONFIG, 'Upgrade: h2c', 'HTTP2-Settings: AAMA'), 'goodClientConfig'],
    ['names of prototypes', get(CONFIG, '__proto__: x', 'constructor: y'), 'goodClientConfig'],
    ['a thousand headers', get(CONFIG, ...Array.from({ length: 1000 }, () => 'A: b')), 'goodClientConfig'],
    ['a star', lines('OPTIONS * HTTP/1.1', 'Host: x', 'Connection: close'), 'badEndpoint'],
    ['a method of WebDAV', lines('PROPFIND / HTTP/1.1', 'Host: x', 'Connection: close'), 'badEndpoint'],
    ['a method that asks', lines(`QUERY ${CONFIG} HTTP/1.1`, 'Host: x', 'Connection: close'), 'badEndpoint'],
    ['tracing', lines(`TRACE ${CONFIG} HTTP/1.1`, 'Host: x', 'Connection: close'), 'badEndpoint'],
  ])('%s', async (_name, sent, kind) => {
    expect(await kindsOf(sent)).toEqual([kind])
  })

  test('does not open tunnels', async () => {
    expect(await exchange(contest.url, lines('CONNECT evil.example:443 HTTP/1.1', 'Host: x'))).toBe('')
  })
})

test('nothing above logged a failure', () => {
  expect(contest.logLines.filter(({ level }) => !['info', 'debug'].includes(level))).toEqual([])
})
