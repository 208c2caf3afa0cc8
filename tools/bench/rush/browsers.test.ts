import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runRush } from './browsers.ts'

const teams = ['a', 'b'].map((name, n) => ({
  token: `token-${name}`,
  loginToken: `login-${name}`,
  address: `10.0.0.${n + 1}`,
}))
const get = (path: string, isAsTeam = false) => ({ method: 'GET', path, isAsTeam }) as const

test('each browser sends the requests of its steps in order, on one connection, as its team', async () => {
  const seen = new Map<number | undefined, unknown[]>()
  const server = createServer((request, response) => {
    const { method, url, headers, socket } = request
    const lines = seen.get(socket.remotePort) ?? []
    seen.set(socket.remotePort, lines)
    lines.push([method, url, headers.authorization ?? headers['x-forwarded-for']])
    const end = () => response.writeHead(url === '/missing' ? 404 : 200, { 'content-length': 2 }).end('{}')
    if (method === 'GET') end()
    else void json(request).then((body) => (lines.push(body), end()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const result = await runRush({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    encoding: 'br',
    browsers: 2,
    arrivalsPerS: 1000,
    teams,
    pauseMs: 1,
    steps: [
      [get('/'), get('/missing')],
      [{ method: 'POST', path: '/login', isAsTeam: false }, get('/me', true)],
    ],
  })
  server.close()
  const expected = teams.map(({ token, loginToken, address }) => [
    ['GET', '/', address],
    ['GET', '/missing', address],
    ['POST', '/login', address],
    { teamToken: loginToken },
    ['GET', '/me', `Bearer ${token}`],
  ])
  expect(new Set(seen.values())).toEqual(new Set(expected))
  expect(result).toMatchObject({ count: 6, failures: { 404: 2 }, unfinished: 0 })
})
