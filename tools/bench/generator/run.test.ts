import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { run } from './run.ts'

test('sends each request of a list once, with its body', async () => {
  const received: unknown[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bodies = Array.from({ length: 20 }, (_, n) => ({ name: 'n'.repeat(n) }))
  const measured = await run({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 4,
    requests: bodies.map((body) => ({ method: 'POST', path: '/', body: JSON.stringify(body) })),
    isOnce: true,
    seconds: 30,
  })
  server.close()
  expect(measured.statuses).toEqual({ 200: 20 })
  expect(new Set(received)).toEqual(new Set(bodies))
})
