import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { fetchPublic, isPublicAddress } from './fetch-public.ts'

const LIMITS = { maxBytes: 1000, timeoutMs: 5_000 }

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test.each(['1.1.1.1', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::200e'])(
  '%s is an address of the internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is no address of the internet', (address) => expect(isPublicAddress(address)).toBe(false))

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://[::1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://localhost/',
  'http://1.1.1.1:22/',
  'http://user:password@1.1.1.1/',
  'ftp://1.1.1.1/',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'no address',
])('%s is refused before anything is sent', async (url) =>
  expect(await fetchPublic(url, LIMITS)).toEqual({ failure: 'address' }),
)

test('a name with one refused address is refused, and the connection goes to the address that was checked', async () => {
  const port = await serve((_, response) => response.end('here'))
  const seen: string[] = []
  const url = `http://localhost:${port}/`
  const refused = await fetchPublic(url, { ...LIMITS, mayConnect: () => false })
  expect(refused).toEqual({ failure: 'address' })
  const allowed = await fetchPublic(url, {
    ...LIMITS,
    mayConnect: (address) => {
      seen.push(address)
      return true
    },
  })
  expect(String(allowed)).toBe('here')
  expect(seen).toContain('127.0.0.1')
})

test('redirects are checked again, and more than three are too many', async () => {
  const port = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (Number.isNaN(left)) response.writeHead(302, { location: 'http://127.0.0.2/' }).end()
    else if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
    else response.end('end')
  })
  const mayConnect = (address: string) => address === '127.0.0.1'
  const fetched = (path: string) => fetchPublic(`http://127.0.0.1:${port}/${path}`, { ...LIMITS, mayConnect })
  expect(String(await fetched('3'))).toBe('end')
  expect(await fetched('4')).toEqual({ failure: 'unreachable' })
  expect(await fetched('inside')).toEqual({ failure: 'address' })
})

test('size, time, errors and refused connections are bounded failures', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/large') response.write('x'.repeat(2000))
    if (request.url === '/missing') response.writeHead(404).end()
    // The others never end.
  })
  const fetched = (path: string) =>
    fetchPublic(`http://127.0.0.1:${port}${path}`, { maxBytes: 1000, timeoutMs: 300, mayConnect: () => true })
  expect(await fetched('/large')).toEqual({ failure: 'tooLarge' })
  expect(await fetched('/missing')).toEqual({ failure: 'unreachable' })
  expect(await fetched('/never')).toEqual({ failure: 'unreachable' })
  expect(await fetchPublic('http://127.0.0.1:1/', { ...LIMITS, mayConnect: () => true })).toEqual({
    failure: 'unreachable',
  })
})
