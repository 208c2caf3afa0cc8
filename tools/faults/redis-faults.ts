import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from './processes.ts'

type RedisFault = (deployment: { readonly redis: Service | null }) => Promise<void>

const STOPPED_MS = 10_000
const FULL_MS = 5_000

/** Faults of Redis that do not end it. */
export const REDIS_FAULTS: Readonly<Record<string, RedisFault>> = {
  'redis-stopped': async ({ redis }) => {
    redis?.signal('SIGSTOP')
    try {
      await delay(STOPPED_MS)
    } finally {
      redis?.signal('SIGCONT')
    }
  },
  'redis-flushed': async ({ redis }) => {
    if (redis) await send(redis.url, 'FLUSHALL')
  },
  'redis-full': ({ redis }) => limitMemory(redis, 'noeviction'),
  'redis-evicting': ({ redis }) => limitMemory(redis, 'allkeys-random'),
}

/** Allows less memory than is used: each write is refused, or evicts keys until none is left. */
async function limitMemory(redis: Service | null, policy: 'noeviction' | 'allkeys-random'): Promise<void> {
  if (!redis) return
  await send(redis.url, `CONFIG SET maxmemory-policy ${policy}`)
  const used = /used_memory:(\d+)/.exec(await send(redis.url, 'INFO memory'))?.[1]
  await send(redis.url, `CONFIG SET maxmemory ${Math.max(1, Number(used) - 1)}`)
  try {
    await delay(FULL_MS)
  } finally {
    await send(redis.url, 'CONFIG SET maxmemory 0')
  }
}

/** Sends an inline command and returns the start of the response. */
export async function send(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    socket.write(`${command}\r\n`)
    const [data] = (await once(socket, 'data')) as [Buffer]
    const text = data.toString()
    if (text.startsWith('-')) throw new Error(`${command}: ${text.trim()}`)
    return text
  } finally {
    socket.destroy()
  }
}
