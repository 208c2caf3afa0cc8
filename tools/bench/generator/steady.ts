import { Agent, request } from 'node:http'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { headersOf, type RequestSpec } from './plan.ts'

// An open loop in even steps. autocannon sends the requests of a second all at once, which a cache sees as one change.

const TICK_MS = 1
const CONNECTIONS = 64

export interface Steady {
  /** Waits for the responses in flight. `failed` counts those without a status of success. */
  stop(): Promise<{ readonly sent: number; readonly failed: number }>
}

/** Sends requests at a fixed rate, whether or not earlier ones have been answered, until it is stopped. */
export function startSteady(url: string, perSecond: number, next: () => RequestSpec | undefined): Steady {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const inFlight = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0
  let failed = 0
  const sendDue = () => {
    while (sent < ((performance.now() - startedAt) / SECOND_MS) * perSecond) {
      const spec = next()
      if (!spec) {
        clearInterval(timer)
        failed += 1
        return
      }
      sent += 1
      const done = send(agent, url, spec).then((isGood) => {
        if (!isGood) failed += 1
        inFlight.delete(done)
      })
      inFlight.add(done)
    }
  }
  const timer = setInterval(sendDue, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(inFlight)
      agent.destroy()
      return { sent, failed }
    },
  }
}

function send(agent: Agent, url: string, spec: RequestSpec): Promise<boolean> {
  const { method = 'GET', path, body } = spec
  return new Promise((resolve) => {
    const sent = request(url + path, { agent, method, headers: headersOf(spec) }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode === 200))
    })
    sent.on('error', () => resolve(false))
    sent.end(body)
  })
}
