import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { createStreamHub, type StreamHub } from '../features/stream/hub.ts'
import { onShutdown } from '../http/drain.ts'
import type { Stores } from './stores.ts'

/** The live streams of this process, and the plugin that ends them at a shutdown. */
export function openStreams(
  { http }: Config,
  { follower, now }: Stores,
): { readonly hub: StreamHub; readonly plugin: (app: FastifyInstance) => void } {
  const { max: maxTotal, maxPerAddress, maxPerTeam } = http.streams
  const limits = { maxTotal, maxPerAddress, maxPerTeam }
  const hub = createStreamHub({ follower, now, elapsedMs: () => performance.now(), processorMs, limits })
  return { hub, plugin: (app) => onShutdown(app, () => hub.close()) }
}

/** Not elapsed time: on a busy machine, a turn takes long because other programs run meanwhile, and waiting would not help. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
