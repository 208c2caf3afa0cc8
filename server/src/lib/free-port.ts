import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to connections and to programs that do not ask for one: those may be taken between the check and
 * the use.
 */
const FROM = 20_000
const UNTIL = 32_000
const MAX_ATTEMPTS = 50

/** A port of 127.0.0.1 on which no program listens. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const port = randomInt(FROM, UNTIL)
    if (await isFree(port)) return port
  }
  throw new Error(`${MAX_ATTEMPTS} ports from ${FROM} to ${UNTIL} are in use`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
