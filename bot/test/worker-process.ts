import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The output of `npm run test:browser`. */
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export interface WorkerProcess extends AsyncDisposable {
  readonly id: number
  /** The URL of `/v1/test`. */
  readonly url: string
  /** Its log entries so far. */
  readonly log: readonly { readonly msg: string; readonly [field: string]: unknown }[]
  signal(name: NodeJS.Signals): void
  /** Its exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>
}

/** Starts a worker as operators do, and waits until it pulls. */
export async function startWorkerProcess(env: Readonly<Record<string, string>>): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', POLL_INTERVAL_MS: '100', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close').then(([status]: unknown[]) => status as number | null)
  const log: { msg: string; port?: number }[] = []
  const ready = new Promise<number>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { msg: string; port?: number }
      log.push(entry)
      if (entry.port !== undefined) resolve(entry.port)
    })
  })
  const failed = ended.then((status) => {
    throw new Error(`the worker ended with ${status}`)
  })
  const port = await Promise.race([ready, failed])
  failed.catch(() => {})
  return {
    id: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    log,
    ended,
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(timer)
      // The folders of a killed worker.
      for (const name of foldersOf(child.pid ?? 0))
        await rm(join(tmpdir(), name), { recursive: true, force: true })
    },
  }
}

/** Processes (except zombies) whose command line or environment names a worker's folder. */
export function processesOf(workerId: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== workerId)
    .filter((id) => {
      const texts = [read(`/proc/${id}/environ`), read(`/proc/${id}/cmdline`)]
      return texts.some((text) => text.includes(`pennant-bot-${workerId}-`))
    })
}

export function foldersOf(workerId: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`pennant-bot-${workerId}-`))
}

/** Folders of visits that the worker's folder contains now. */
export function visitFoldersOf(workerId: number): string[] {
  return foldersOf(workerId).flatMap((name) => readdirSync(`${tmpdir()}/${name}`))
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
