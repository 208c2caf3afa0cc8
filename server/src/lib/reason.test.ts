import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get as getTls } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { reasonOf } from './reason.ts'

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

/** The error of a request to a server that answers with these bytes. */
async function errorOfBytes(bytes: string, isTls: boolean): Promise<unknown> {
  const server = createServer((socket) => socket.on('error', () => {}).end(bytes)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    if (!isTls) return await failureOf(fetch(`http://127.0.0.1:${port}`))
    return await new Promise((resolve) => getTls(`https://127.0.0.1:${port}`).on('error', resolve))
  } finally {
    server.close()
  }
}

test('errors of real services and files are described without codes', async () => {
  expect(reasonOf(await failureOf(fetch('http://127.0.0.1:1')))).toMatch(
    /^nothing accepts connections there|bad port/,
  )
  expect(reasonOf(await errorOfBytes('HTTP/1.1 400 Bad Request\r\n\r\n', true))).toBe(
    'it does not speak TLS on this port',
  )
  expect(reasonOf(await errorOfBytes('220 mail ESMTP\r\n', false))).toBe(
    'it does not speak HTTP on this port',
  )
  expect(reasonOf(await errorOfBytes('', false))).toBe('the connection was closed without a response')
  expect(reasonOf(await failureOf(readFile('/dev/null/below')))).toBe(
    'a part of the path is a file instead of a folder',
  )
})

test.each([
  [
    Object.assign(new Error('x'), {
      code: 'ESOCKET',
      cause: Object.assign(new Error('y'), { code: 'CERT_HAS_EXPIRED' }),
    }),
    'its certificate has expired',
  ],
  [
    new Error('error:0A000126:SSL routines::unexpected eof while reading:../deps/openssl/ssl/record.c:696:'),
    'the encryption could not be negotiated',
  ],
  [
    new AggregateError([Object.assign(new Error(''), { code: 'ECONNREFUSED', address: '::1', port: 5432 })]),
    'nothing accepts connections there (::1, port 5432)',
  ],
  [new Error('It is closed.\n    at run (a.ts:1:2)'), 'It is closed'],
  [
    new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    'there was no response in time',
  ],
  ['only a text.', 'only a text'],
  [undefined, 'undefined'],
  [new Error(''), 'the reason is unknown'],
])('%s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
