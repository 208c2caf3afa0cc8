import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEHAVIOURS, startHostileClients, type BehaviourName } from '../hostile-clients.ts'
import { startProbedServer, type ProbedServer } from '../probed-server.ts'

// Beside clients that keep connections open: memory stays bounded and other clients get their
// responses.

const MAX_CONNECTIONS = 100
const HONEST_REQUESTS = 40
/** 64 MiB of bodies, the limit per address, plus what a hundred connections need. */
const MAX_HELD_BYTES = 96 * 1024 * 1024

let server: ProbedServer
beforeAll(async () => {
  server = await startProbedServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function statusOf(path: string): Promise<number> {
  const response = await fetch(server.url + path)
  await response.arrayBuffer()
  return response.status
}

test.each(Object.keys(BEHAVIOURS) as BehaviourName[])('%s do not block other clients', async (name) => {
  const { heldBytes: before } = await server.measure()
  const target = { port: server.port, token: server.adminToken, largePath: '/api/openapi.json' }
  const share = Math.min(1, MAX_CONNECTIONS / BEHAVIOURS[name].connections)
  {
    using clients = startHostileClients(name, target, share)
    for (let count = 0; count < HONEST_REQUESTS; count++) {
      expect(await statusOf('/api/v2/integrations/client/config')).toBe(200)
    }
    const { heldBytes } = await server.measure()
    expect(heldBytes - before).toBeLessThan(MAX_HELD_BYTES)
    expect(clients.opened).toBeGreaterThan(0)
  }
  expect(await statusOf('/api/v2/leaderboard/now?limit=100&offset=0')).toBe(200)
})
