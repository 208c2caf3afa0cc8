import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '../src/lib/free-port.ts'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** Starts a Redis server of its own, which is sound for `pennant doctor`. It stores its data in the folder. */
export async function startRedisServer(folder: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const port = await findFreePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '3600 1', '--dir', folder]
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of redis.stdout.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes('Ready to accept connections')) break
  redis.stdout.resume()
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const exit = once(redis, 'exit')
      redis.kill('SIGKILL')
      await exit
    },
  }
}
