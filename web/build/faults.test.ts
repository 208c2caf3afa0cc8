import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS_COOKIE, parseFaults, withFaults } from './faults.ts'

let url: string
let handled = 0
const server = createServer((request, response) => {
  void withFaults(request, response, () => {
    handled += 1
    response.writeHead(200).end('fine')
  })
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const get = (path: string, faults: string, signal?: AbortSignal) =>
  fetch(url + path, {
    headers: { cookie: `${FAULTS_COOKIE}=${encodeURIComponent(faults)}` },
    ...(signal && { signal }),
  })

test('a fault concerns the paths that contain its text, and no page or file of the site', async () => {
  expect((await get('/api/v2/leaderboard', '500:/challs')).status).toBe(200)
  expect((await get('/scores', '500')).status).toBe(200)
  const failed = await get('/api/v2/challs', '500:/challs')
  expect([failed.status, await failed.json()]).toMatchObject([500, { kind: 'errorInternal' }])
  const busy = await get('/api/v2/challs', '503')
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await busy.json()).toMatchObject({ kind: 'errorUnavailable' })
})

test('a lost response was handled, an unreachable server handles nothing', async () => {
  const before = handled
  await expect(get('/api/v2/challs', 'offline')).rejects.toThrow('fetch failed')
  expect(handled).toBe(before)
  await expect(get('/api/v2/challs', 'lost')).rejects.toThrow('fetch failed')
  expect(handled).toBe(before + 1)
})

test('a request that is never answered stays open until the browser leaves', async () => {
  const leave = new AbortController()
  const received = once(server, 'request')
  const hanging = get('/api/v2/challs', 'never', leave.signal)
  await received
  leave.abort()
  await expect(hanging).rejects.toThrow('aborted')
})

test('an unknown fault is refused', () => {
  expect(() => parseFaults('slwo')).toThrow('slwo is not one of 500, 503, offline, lost, never, slow')
})
