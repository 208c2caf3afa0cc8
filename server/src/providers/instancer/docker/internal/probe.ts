import { connect } from 'node:net'
import type { Endpoint } from '../../instancer.ts'

/** A closed port responds at once unless a firewall drops the request. */
const CONNECT_LIMIT_MS = 500
/** A relay listens within a second; the machine may be busy. */
const ANSWER_LIMIT_MS = 3_000
const RETRY_DELAY_MS = 100

/** Whether anything accepts a connection to the port. It is closed again at once. */
export function isAnswered({ host, port }: Pick<Endpoint, 'host' | 'port'>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(CONNECT_LIMIT_MS, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Waits a few seconds for the port to accept a connection. */
export async function becomesAnswered(
  endpoint: Pick<Endpoint, 'host' | 'port'>,
  sleep: (ms: number) => Promise<void>,
): Promise<boolean> {
  const until = performance.now() + ANSWER_LIMIT_MS
  while (!(await isAnswered(endpoint))) {
    if (performance.now() >= until) return false
    await sleep(RETRY_DELAY_MS)
  }
  return true
}
