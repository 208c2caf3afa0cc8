import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { bundleOptions, isBuilt } from '../../tools/build.mjs'

const root = join(import.meta.dirname, '../..')

/** Environment variables that the program must not inherit from the test runner. */
const OURS = /^(PENNANT_|DATABASE_URL$|REDIS_URL$|HOST$|PORT$|LOG_LEVEL$|NODE_ENV$)/

export type Env = Readonly<Record<string, string>>

export interface Ended {
  readonly status: number | null
  readonly output: string
  readonly complaints: string
}

export interface Program extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams
  /** The first output line that matches, including earlier output. Rejects if the program exits first. */
  line(pattern: RegExp): Promise<string>
  readonly ended: Promise<Ended>
}

const bundles = new Map<string, string>()

/** Bundles these sources once for each test worker: a bundle starts in a third of the time that sources need. */
function bundleOf(name: 'main' | 'child'): string {
  const made = bundles.get(name)
  if (made !== undefined) return made
  // In the folder of the real bundle, because the program finds migrations relative to itself.
  const path = join(root, `server/dist/test-${name}.js`)
  const outfile = `${path}.${process.pid}.js`
  const entryPoints = [`server/src/${name}.ts`]
  buildSync({ ...bundleOptions, absWorkingDir: root, entryPoints, outfile })
  // Other test workers may start the program now.
  renameSync(outfile, path)
  bundles.set(name, path)
  return path
}

let isPacked: boolean | undefined

/** The packed program if it has these sources, because it loads only the chunks that it needs; otherwise a bundle. */
export function programPath(name: 'main' | 'child' = 'main'): string {
  isPacked ??= isBuilt(root, 'server/dist/main.js')
  return isPacked ? join(root, `server/dist/${name}.js`) : bundleOf(name)
}

/** Starts the command line interface in a separate process. */
export function startProgram(args: readonly string[], env: Env = {}, cwd?: string): Program {
  return start([programPath(), ...args], env, cwd)
}

/** The same with the packed program, which `build` of tools/build.mjs makes. */
export function startPacked(args: readonly string[], env: Env, cwd: string): Program {
  return start([join(root, 'server/dist/main.js'), ...args], env, cwd)
}

function start(args: readonly string[], env: Env, cwd: string | undefined): Program {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  const child = spawn(process.execPath, args, {
    // A busy machine would make the program shed requests of tests that expect a reply to each.
    env: { ...Object.fromEntries(inherited), PENNANT_HTTP_OVERLOAD_DELAY: '0', ...env },
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

/** Runs the command line interface until it exits. */
export async function runProgram(args: readonly string[], env: Env = {}, cwd?: string): Promise<Ended> {
  return await startProgram(args, env, cwd).ended
}

/** Finds a port that is currently not in use. */
