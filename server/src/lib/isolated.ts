import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from './errors.ts'

// Documents of strangers are parsed in a process of their own, with limits: whatever they do to a parser, requests are served.

/** Work for the other process. What it yields is copied, so it may contain no functions. */
export type Task = (input: never) => AsyncIterable<unknown>

export interface IsolatedWork<Input> {
  /** A name of the tasks in `child.ts`. */
  readonly task: string
  readonly input: Input
  /** Of the values that the process keeps. */
  readonly maxMemoryMib: number
  readonly limitMs: number
  readonly signal?: AbortSignal
}

/** The work needs more than its limits allow. */
export class IsolationError extends Error {
  override readonly name = 'IsolationError'
}

/** Below requests: players come first on a machine with few cores. With 10, it gets a twentieth of a busy host and starves. */
const PRIORITY = 5

type Message =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed'
      readonly message: string
      readonly stack: string
      readonly isExpected: boolean
    }

/**
 * Runs a task in another process and yields what it yields, one value at a time. A StartError of the task is thrown here too.
 * Throws an IsolationError at a limit, and the reason of the signal when that is aborted.
 */
export async function* runIsolated<T>(work: IsolatedWork<unknown>): AsyncGenerator<T, void> {
  const { task, input, limitMs, signal: outer } = work
  const limit = AbortSignal.timeout(limitMs)
  const signal = outer ? AbortSignal.any([outer, limit]) : limit
  outer?.throwIfAborted()
  const child = start(work.maxMemoryMib)
  try {
    child.send({ task, input })
    // Each value is requested, so at most one is in transit.
    for (let message = await nextMessage(child, signal); ; message = await nextMessage(child, signal)) {
      if (message.kind === 'done') return
      if (message.kind === 'failed') throw failureOf(message)
      yield message.value as T
      child.send('next')
    }
  } catch (error) {
    if (limit.aborted && !outer?.aborted)
      throw new IsolationError(`takes longer than ${limitMs / 1000} seconds`)
    throw error instanceof EndedError
      ? new IsolationError(`needs more than ${work.maxMemoryMib} MiB of memory`, { cause: error })
      : error
  } finally {
    child.kill('SIGKILL')
  }
}

function failureOf({ message, stack, isExpected }: Message & { kind: 'failed' }): Error {
  return isExpected ? new StartError(message) : new Error(message, { cause: stack })
}

function start(maxMemoryMib: number): ChildProcess {
  const program = findProgram()
  const loader = program.endsWith('.ts') ? ['--import', 'tsx'] : []
  const child = spawn(process.execPath, [...loader, `--max-old-space-size=${maxMemoryMib}`, program], {
    // The loader of the sources is found from there.
    cwd: dirname(program),
    // No secret of the configuration, and what finds pg_restore.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  // Errors of a process that cannot be started or written to end in `nextMessage`.
  child.on('error', () => {})
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY)
  } catch {
    // It has ended already.
  }
  return child
}

let findProgram = programFile

/** For tests, which start hundreds of these processes: a bundle starts in a fraction of the time that sources need. */
export function findProgramBy(find: () => string): void {
  findProgram = find
}

/** Beside the bundle or its chunks, or above the sources of this folder. */
function programFile(): string {
  const paths = ['./child.js', '../child.js', '../child.ts'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const found = paths.find((path) => existsSync(path))
  if (found === undefined) throw new Error('this installation is incomplete: there is no child.js')
  return found
}

/** The process has ended by a signal, as it does when it runs out of memory. */
class EndedError extends Error {}

function nextMessage(child: ChildProcess, signal: AbortSignal): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      child.off('message', onMessage).off('close', onClose).off('error', onError)
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message as Message))
    const onError = (error: Error) => settle(() => reject(error))
    const onAbort = () => settle(() => reject(signal.reason as Error))
    const onClose = (status: number | null, by: NodeJS.Signals | null) =>
      settle(() =>
        reject(by ? new EndedError(by) : new Error(`the process of an import ended with status ${status}`)),
      )
    child.on('message', onMessage).on('close', onClose).on('error', onError)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
  })
}

function send(message: Message): void {
  process.send?.(message)
}

/** The other side of `runIsolated`. Runs one task and ends with its parent. */
export function serveTask(tasks: Readonly<Record<string, () => Promise<Task>>>): void {
  process.on('disconnect', () => process.exit())
  process.once('message', async (first) => {
    const { task, input } = first as { readonly task: string; readonly input: never }
    try {
      const run = await tasks[task]?.()
      if (!run) throw new Error(`there is no task ${task}`)
      for await (const value of run(input)) {
        const requested = new Promise((resolve) => process.once('message', resolve))
        send({ kind: 'value', value })
        await requested
      }
      send({ kind: 'done' })
    } catch (error) {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
      send({ kind: 'failed', message, stack, isExpected: error instanceof StartError })
    }
  })
}
