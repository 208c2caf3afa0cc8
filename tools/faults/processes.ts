import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cleanups } from './cleanup.ts'

/** A process that a fault may kill and start again. */
export interface Service {
  readonly name: string
  readonly url: string
  /** Also while it starts. */
  isKilled(): boolean
  start(): Promise<void>
  /** With SIGKILL unless another signal is given. Returns when the process has ended. */
  kill(name?: NodeJS.Signals): Promise<void>
  signal(name: NodeJS.Signals): void
}

export interface Surroundings {
  readonly cleanups: Cleanups
  /** Processes that ended without being killed. */
  readonly ended: string[]
}

export interface Program {
  readonly name: string
  readonly url: string
  /** The process, as soon as it exists. Runs again after each kill. */
  spawn(): ChildProcess
  /** Whether it does its work now. */
  isReady(): Promise<boolean>
  /** Starts again if it ends without being killed, as under systemd. */
  readonly restarts?: boolean
}

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000
const RESTART_MS = 200

export async function startProgram(program: Program, { cleanups, ended }: Surroundings): Promise<Service> {
  const { name, url } = program
  let child: ChildProcess | null = null
  let isUp = false
  await cleanups.add(async () => {
    const stopped = child
    child = null
    if (stopped) await stop(stopped)
  })
  const service: Service = {
    name,
    url,
    isKilled: () => !isUp,
    async start() {
      if (cleanups.isEnding()) throw new Error('the run is ending')
      const started = program.spawn()
      child = started
      try {
        await untilReady(program, started)
        isUp = child === started
      } catch (error) {
        child = null
        await endWith(started, 'SIGKILL')
        throw error
      }
      started.once('exit', (status, signal) => {
        if (child !== started) return
        isUp = false
        if (program.restarts) void repeatStart(service, cleanups)
        else ended.push(`${name} ended with ${signal ?? `status ${status}`}`)
      })
    },
    async kill(sent = 'SIGKILL') {
      const killed = child
      child = null
      isUp = false
      if (killed) await endWith(killed, sent)
    },
    signal: (sent) => void child?.kill(sent),
  }
  await service.start()
  return service
}

async function repeatStart(service: Service, cleanups: Cleanups): Promise<void> {
  // Ends with the run at the latest.
  while (!cleanups.isEnding()) {
    await delay(RESTART_MS)
    const isStarted = await service.start().then(
      () => true,
      () => false,
    )
    if (isStarted) return
  }
}

async function untilReady({ name, isReady }: Program, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS
  while (!(await isReady().catch(() => false))) {
    if (hasEnded(child)) throw new Error(`${name} ended while it started`)
    if (performance.now() > deadline) throw new Error(`${name} did not become ready`)
    await delay(20)
  }
}

/** A program whose output is only of interest if it fails. */
export function spawnQuietly(command: string, args: readonly string[], options: object = {}): ChildProcess {
  return spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
}

async function stop(child: ChildProcess): Promise<void> {
  // A stopped process would not notice.
  child.kill('SIGCONT')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await endWith(child, 'SIGTERM')
  clearTimeout(timer)
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Sends a signal to processes of which some may have ended. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
