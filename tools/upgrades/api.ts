import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '@pennant/contract/durations.ts'

// Talks to a Pennant of any release, so it uses neither this release's client nor its schemas.

export interface Reply {
  readonly status: number
  readonly kind: string
  // The shape depends on the release.
  readonly data: unknown
}

export interface Sent {
  readonly token?: string
  readonly body?: unknown
  readonly form?: FormData
}

export type Api = (method: string, path: string, sent?: Sent) => Promise<Reply>

const REQUEST_LIMIT_MS = 30_000

export function createApi(url: string): Api {
  return async (method, path, { token, body, form } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(form && { body: form }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    })
    const { kind = '', data } = (await response.json()) as { kind?: string; data?: unknown }
    return { status: response.status, kind, data }
  }
}

/** The value at a path such as `thread.id`; undefined if the release does not have it. */
export function at(data: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      data,
    )
}

export function listAt(data: unknown, path: string): readonly unknown[] {
  const found = path === '' ? data : at(data, path)
  return Array.isArray(found) ? found : []
}

export interface ServerOptions {
  /** The program: `server/dist/main.js` of a checkout or a package. */
  readonly program: string
  readonly port: number
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
}

export interface Server extends AsyncDisposable {
  readonly url: string
  readonly process: ChildProcess
  /** Stops as an operator would, and returns the exit status. */
  stop(): Promise<number | null>
}

const READY_LIMIT_MS = MINUTE_MS
const POLL_MS = 50

/** Starts a server and waits until it is ready. Its log goes to standard error. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const child = spawn(process.execPath, [options.program, 'serve'], {
    env: environmentOf(options),
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const url = `http://127.0.0.1:${options.port}`
  const stop = async () => {
    child.kill('SIGTERM')
    return (await ended)[0]
  }
  const end = Date.now() + READY_LIMIT_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${options.program} ended with status ${child.exitCode}`)
    if (Date.now() > end) {
      child.kill('SIGKILL')
      throw new Error(`${options.program} is not ready`)
    }
    await delay(POLL_MS)
  }
  return { url, process: child, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

export async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/api/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Runs a command of the program and returns its standard output; throws if it fails. */
export async function runCommand(
  options: Omit<ServerOptions, 'port'>,
  args: readonly string[],
): Promise<string> {
  const child = spawn(process.execPath, [options.program, ...args], {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`${args[0]} of ${options.program} ended with status ${status}: ${output}`)
  return output
}

function environmentOf({ dataDir, env, ...rest }: Omit<ServerOptions, 'port'> & { readonly port?: number }) {
  // Variables of a test run are not settings of the server.
  const inherited = Object.entries(process.env).filter(([name]) => !/^PENNANT_|^REDIS_URL$/.test(name))
  return {
    ...Object.fromEntries(inherited),
    HOST: '127.0.0.1',
    ...(rest.port !== undefined && { PORT: String(rest.port) }),
    PENNANT_DATA_DIR: dataDir,
    ...env,
  }
}

/** Creates the first admin and returns its auth token. */
export async function createOrganiser(options: Omit<ServerOptions, 'port'>): Promise<string> {
  const command = [
    'admin',
    'create',
    '--name',
    'Organisers',
    '--email',
    'organisers@upgrade.example',
    '--json',
  ]
  const { authToken } = JSON.parse(await runCommand(options, command)) as { authToken: string }
  return authToken
}
