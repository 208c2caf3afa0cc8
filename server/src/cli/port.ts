import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'

/** Fails as listening would, before a database is made for nothing. Somebody may still take the port afterwards. */
export async function requirePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
