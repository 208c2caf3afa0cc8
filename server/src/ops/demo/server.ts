import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '@pennant/contract/durations.ts'

/** Longest time for a first start, which creates a database cluster, possibly on a slow disk. */
const START_LIMIT_MS = MINUTE_MS
const POLL_MS = 50

export interface ServerOptions {
  /** Runs `pennant`. */
  readonly command: readonly [program: string, ...args: string[]]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where it will respond. */
  readonly url: string
}

export interface Server extends AsyncDisposable {
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>
}

/** Starts a server in a separate process and waits until it is ready. Its errors are printed, its log is not. */
export async function startServer({ command, env, url }: ServerOptions): Promise<Server> {
  const [program, ...args] = command
  const child = spawn(program, [...args, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await untilReady(url, child)
  return {
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with status ${child.exitCode}`)
    if (await isReady(url)) return
    await sleep(POLL_MS)
  }
  child.kill('SIGKILL')
  throw new Error('the server did not become ready')
}

export async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/api/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}
