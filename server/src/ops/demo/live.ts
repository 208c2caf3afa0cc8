import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

// What the live examples need on this machine: a container engine, and an admin-bot worker with a browser.

const SOCKETS = [
  '/var/run/docker.sock',
  '/run/podman/podman.sock',
  `/run/user/${process.getuid?.() ?? 0}/podman/podman.sock`,
]

/** Longest time in which a worker must find its browser. */
const WORKER_LIMIT_MS = 30_000

export interface Live extends AsyncDisposable {
  readonly engineUrl: string
  /** Where the server sends organisers' bot code to be checked. */
  readonly botUrl: string
  readonly botSecret: string
}

export interface BotOptions {
  readonly serverUrl: string
  /** Path of the worker's program. */
  readonly worker: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface LiveOptions extends BotOptions {
  readonly say: (line: string) => void
}

/**
 * Finds the engine and starts a worker; on a machine without an engine or a browser, prints the reason and
 * returns null.
 */
export async function openLive({ say, ...options }: LiveOptions): Promise<Live | null> {
  const engineUrl = await findEngine(options.env['DOCKER_HOST'])
  if (engineUrl === null) {
    say('neither Docker nor Podman responds: skipping the two challenges that need containers')
    return null
  }
  const bot = await startBot(options)
  if (bot === null) say('no browser found for the admin bot: skipping the two live challenges')
  return bot && { engineUrl, ...bot }
}

/** The address of a responding container engine on this machine, or null. */
async function findEngine(named: string | undefined): Promise<string | null> {
  const first = named?.startsWith('unix://') ? [named.slice('unix://'.length)] : []
  for (const path of [...first, ...SOCKETS]) {
    if (!existsSync(path)) continue
    const socket = connect(path)
    try {
      await once(socket, 'connect')
      return `unix://${path}`
    } catch {
      // A stale socket without a listener.
    } finally {
      socket.destroy()
    }
  }
  return null
}

/** Null if the worker exits immediately, as it does without a browser. */
export async function startBot(options: BotOptions): Promise<Omit<Live, 'engineUrl'> | null> {
  const { serverUrl, worker, env } = options
  const botSecret = randomBytes(24).toString('base64url')
  const child = spawn(process.execPath, [worker], {
    env: {
      ...env,
      BASE_URL: serverUrl,
      SECRET_KEY: botSecret,
      HOST: '127.0.0.1',
      PORT: '0',
      POLL_INTERVAL_MS: '500',
      // Players of the example run their listeners on this machine.
      ALLOW_PRIVATE: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  const port = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { port: listening } = JSON.parse(line) as { port?: number }
      if (listening !== undefined) resolve(listening)
    })
  })
  const limit = AbortSignal.timeout(WORKER_LIMIT_MS)
  const none = Promise.race([ended, once(limit, 'abort')]).then(() => null)
  const listening = await Promise.race([port, none])
  if (listening === null) {
    child.kill('SIGKILL')
    return null
  }
  return {
    botUrl: `http://127.0.0.1:${listening}`,
    botSecret,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The part of the server's configuration that the live examples need. */
export function liveConfig({ engineUrl, botUrl, botSecret }: Omit<Live, typeof Symbol.asyncDispose>) {
  return {
    instancers: {
      here: {
        name: 'instancers/docker',
        options: {
          manager: 'pennant-demo',
          hosts: [{ name: 'here', url: engineUrl, publicHost: '127.0.0.1' }],
        },
      },
    },
    adminBot: {
      provider: { name: 'admin-bots/browser', options: { endpoint: botUrl, secretKey: botSecret } },
    },
  }
}
