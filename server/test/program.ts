import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What our own program must not inherit from whoever runs the tests. */
const OURS = /^(PENNANT_|DATABASE_URL$|REDIS_URL$|HOST$|PORT$|LOG_LEVEL$|NODE_ENV$)/

export type Env = Readonly<Record<string, string>>

export interface Ended {
  readonly status: number | null
  readonly output: string
  readonly complaints: string
}

export interface Program extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams
  /** The first line of the output that matches, also when it was printed before. Rejects when the program ends first. */
  line(pattern: RegExp): Promise<string>
  readonly ended: Promise<Ended>
}

/** Starts the command line as a process of its own, from the sources. */
export function startProgram(args: readonly string[], env: Env = {}, cwd?: string): Program {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  const text = { output: '', complaints: '' }
  const ended = once(child, 'close').then(([status]: unknown[]): Ended => ({
    status: status as number | null,
    ...text,
  }))
  child.stdout.on('data', (chunk: Buffer) => (text.output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text.complaints += chunk.toString()))
  return {
    child,
    ended,
    async line(pattern) {
      for (;;) {
        const found = text.output
          .split('\n')
          .slice(0, -1)
          .find((line) => pattern.test(line))
        if (found !== undefined) return found
        const isOver = await Promise.race([
          once(child.stdout, 'data').then(() => false),
          ended.then(() => true),
        ])
        if (isOver) throw new Error(`the program ended without ${pattern}: ${text.output}${text.complaints}`)
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs the command line to its end. */
export async function runProgram(args: readonly string[], env: Env = {}, cwd?: string): Promise<Ended> {
  return await startProgram(args, env, cwd).ended
}

/** A port that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
