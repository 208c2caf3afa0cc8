import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Asks a server that was started with the probe. */
export interface Probe {
  readonly env: Readonly<Record<string, string>>
  readonly nodeArgs: readonly string[]
  ask(command: '/reset' | '/collect'): Promise<unknown>
  /** Bytes in use. */
  heap(): Promise<{ readonly heapUsed: number; readonly external: number }>
  /** The first event with solves since the last reset, in milliseconds of the machine's monotonic clock. */
  writes(): Promise<{
    readonly count: number
    readonly firstAt: number | null
    readonly lastAt: number | null
  }>
}

/** `socketPath` must not exist yet. Start the server with `env` and `nodeArgs`. */
export function createProbe(socketPath: string): Probe {
  async function ask(path: string): Promise<unknown> {
    const sent = request({ socketPath, path }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return JSON.parse(await text(response))
  }
  return {
    env: { BENCH_PROBE: socketPath },
    nodeArgs: ['--import', fileURLToPath(new URL('probe.mjs', import.meta.url))],
    ask,
    heap: () => ask('/heap') as ReturnType<Probe['heap']>,
    writes: () => ask('/writes') as ReturnType<Probe['writes']>,
  }
}
