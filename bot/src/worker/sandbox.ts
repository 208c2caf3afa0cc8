import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { ChildName } from '../child/run.ts'
import { MAX_MESSAGE_LENGTH, Report, REPORT_DESCRIPTOR, VISIT_VARIABLE } from '../protocol.ts'
import { removeFolder } from './folders.ts'
import { asVisitUser, inNamespaces, removeFilesOf, type VisitUsers } from './isolation.ts'
import { endProcesses, killNow, measureMemory } from './processes.ts'

/** For compiled code and Playwright's objects; pages are in the browser's memory. */
const HEAP_MIB = 384
/** Standard error to log when a child ends without a report. */
const MAX_COMPLAINTS_LENGTH = 4_000
/** No other environment variables of the worker are passed on. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE']

export interface SandboxDeps {
  /** The program and its first arguments; the child's name is appended. */
  readonly command: Command
  /** Each sandbox has a subfolder here. */
  readonly folder: string
  /** Null without isolation: children run as the worker's own user. */
  readonly users: VisitUsers | null
}

type Command = readonly string[]

export interface Child {
  send(order: object): void
  /** Resolves when the child has exited, with its standard error. */
  readonly gone: Promise<string>
}

/** A folder, a user id (with isolation), and the child processes that share both. */
export interface Sandbox {
  readonly home: string
  start(name: ChildName, onReport: (report: Report) => void): Child
  measureMemory(): Promise<number>
  /** Ends all its processes and removes their files. Returns whether nothing is left. Can be called again. */
  end(): Promise<boolean>
}

const running = new Set<ChildProcess>()

/** Last resort, when the worker must exit at once. */
export function killChildren(): void {
  for (const { pid } of running) if (pid !== undefined) killNow(pid)
}

export async function openSandbox({ command, folder, users }: SandboxDeps): Promise<Sandbox> {
  // Short: Chromium creates sockets below it, and their paths are limited to 107 bytes.
  const visit = randomBytes(6).toString('hex')
  const home = join(folder, visit)
  await mkdir(home, { mode: 0o700 })
  const user = users?.take() ?? null
  // The parent folder can be entered but not listed, so other users do not know this name.
  if (user !== null) await chmod(home, 0o777)
  const owner = { visit, user }
  const children: ChildProcess[] = []
  let ending: Promise<boolean> | null = null

  async function endAll(): Promise<boolean> {
    for (const child of children) killChild(child)
    const isEnded = await endProcesses(owner)
    for (const child of children) for (const stream of child.stdio) stream?.destroy()
    const isEmpty = user === null || (await removeFilesOf(user, home))
    await removeFolder(home)
    if (user !== null && isEnded && isEmpty) users?.release(user)
    return isEnded && isEmpty
  }

  return {
    home,
    start(name, onReport) {
      const child = spawnChild(commandOf(name, command, user), { visit, home })
      children.push(child)
      return follow(child, onReport)
    },
    measureMemory: () => measureMemory(owner),
    end: () => (ending ??= endAll()),
  }
}

/** Starts with Node's own executable, so that its arguments stay together. */
function commandOf(name: ChildName, [program = process.execPath, ...first]: Command, user: number | null) {
  const command = [program, `--max-old-space-size=${HEAP_MIB}`, ...first, name]
  if (user === null) return command
  return name === 'egress' ? asVisitUser(user, command) : inNamespaces(user, command)
}

interface Place {
  readonly visit: string
  readonly home: string
}

/** With a clean environment and its own process group. */
function spawnChild([program = '', ...args]: Command, { visit, home }: Place): ChildProcess {
  const child = spawn(program, args, {
    cwd: home,
    env: environmentOf(visit, home),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('error', () => running.delete(child)).once('close', () => running.delete(child))
  return child
}

function follow(child: ChildProcess, onReport: (report: Report) => void): Child {
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-MAX_COMPLAINTS_LENGTH)
  })
  readReports(child, onReport)
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(complaints))
  })
  const input = child.stdin as Writable
  // The child may exit before it has read its order.
  input.on('error', () => {})
  return { gone, send: (order) => void input.write(`${JSON.stringify(order)}\n`) }
}

function killChild({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) killNow(pid)
}

function environmentOf(visit: string, home: string): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const folders = { HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
  return { ...Object.fromEntries(passed), ...folders, [VISIT_VARIABLE]: visit }
}

/** Reads JSON lines. Kills a child that writes anything else or an overlong line. */
function readReports(child: ChildProcess, onReport: (report: Report) => void): void {
  let rest = ''
  const stream = child.stdio[REPORT_DESCRIPTOR]
  if (!stream || !('setEncoding' in stream)) throw new Error('the child process has no channel')
  stream.setEncoding('utf8').on('error', () => {})
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    try {
      if (rest.length > MAX_MESSAGE_LENGTH) throw new Error('the line is too long')
      for (const line of lines) onReport(Report.parse(JSON.parse(line)))
    } catch {
      killChild(child)
    }
  })
}
