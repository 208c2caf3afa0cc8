import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Wire } from './wire.ts'

/**
 * A server on this machine. A request to it proves that the tested server fetches URLs that users entered.
 */
export interface Listener extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly string[]
}

/** One request is a finding; further ones are dropped. */
const MAX_KEPT = 20

/** Null if this machine's address from the server's view is unknown. */
export async function listenForRequests(wire: Wire): Promise<Listener | null> {
  const address = wire.localAddress()
  if (address === null) return null
  const requests: string[] = []
  const server = createServer((request, response) => {
    if (requests.length < MAX_KEPT) requests.push(`${request.method} ${request.url}`)
    response.writeHead(404).end()
  })
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  return {
    url: `http://${isIPv6(address) ? `[${address}]` : address}:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
