import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { untilReady } from '../../server/src/ops/demo/server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export interface InstanceOptions {
  readonly dataDir: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
  /** Options of Node. */
  readonly nodeArgs?: readonly string[]
  /** Where the server's output goes; a number is an open file. */
  readonly output?: 'inherit' | 'ignore' | number
  /** Options of `serve`. */
  readonly serveArgs?: readonly string[]
}

export interface Instance extends AsyncDisposable {
  readonly url: string
  readonly process: ChildProcess
  /** Creates an admin through the command line while the server runs. */
  createAdmin(name: string): Promise<{ readonly id: string; readonly authToken: string }>
}

/** Starts a Pennant server of this checkout in a separate process and waits until it is ready. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const child = spawnServer(options)
  const url = `http://127.0.0.1:${options.port}`
  const ended = once(child, 'exit')
  await untilReady(url, child)
  return {
    url,
    process: child,
    createAdmin: (name) => createAdmin(name, options),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts the process, which is not ready yet. */
export function spawnServer(options: InstanceOptions): ChildProcess {
  return spawn(
    process.execPath,
    [...(options.nodeArgs ?? []), program, 'serve', ...(options.serveArgs ?? [])],
    {
      cwd: root,
      env: environmentOf(options),
      stdio: ['ignore', options.output ?? 'ignore', 'inherit'],
    },
  )
}

function environmentOf({ dataDir, port, env = {} }: InstanceOptions): NodeJS.ProcessEnv {
  // Drops variables that are only meant for the tests.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PENNANT_TEST_'))
  return {
    ...Object.fromEntries(inherited),
    PENNANT_DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    ...env,
  }
}

/** Creates an admin through the command line. */
export async function createAdmin(
  name: string,
  options: InstanceOptions,
): Promise<{ id: string; authToken: string }> {
  const args = [program, 'admin', 'create', '--name', name, '--email', `${name}@pennant.invalid`, '--json']
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let line = ''
  child.stdout.on('data', (chunk: Buffer) => (line += chunk.toString()))
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) throw new Error(`admin create ended with status ${status}`)
  return JSON.parse(line) as { id: string; authToken: string }
}
