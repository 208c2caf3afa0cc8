import { once } from 'node:events'
import http, { createServer, type RequestListener, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** Begins like a PNG picture. */
export const PNG = Buffer.from('\x89PNG\r\n\x1a\n...', 'latin1')

/** Leads requests to another site, which must be on the internet, to a server of the test. */
export async function otherSite(listener: RequestListener): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = http.request.bind(http)
  const led = vi
    .spyOn(http, 'request')
    .mockImplementation(((url: URL, { signal }: RequestOptions, done: never) =>
      request(new URL(url.pathname, `http://127.0.0.1:${port}`), { signal }, done)) as typeof http.request)
  onTestFinished(() => {
    led.mockRestore()
    server.close()
  })
}
