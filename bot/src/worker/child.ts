import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { ChildName } from '../child/run.ts'
import { maxMessageLength, Report, reportDescriptor, visitVariable } from '../protocol.ts'
import { removeFolder } from './folders.ts'
import { endProcesses, killNow } from './processes.ts'

/** Compiled code and Playwright's objects. What a page holds is the browser's. */
const HEAP_MIB = 384
/** For the worker's log, when a child ends without a word. */
const MAX_COMPLAINTS_LENGTH = 4_000
/** Everything else of the worker's environment stays with the worker: it has the secret. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE']

export interface ChildDeps {
  /** The program and its first arguments; the child's name follows. */
  readonly command: readonly string[]
  /** In which each child has a folder of its own. */
  readonly folder: string
}

export interface Child {
  /** Marks its processes. */
  readonly id: string
  send(order: object): void
  /** Resolves when the child is gone, with what it wrote to its standard error. */
  readonly gone: Promise<string>
  /** Ends it, all that it started, and its folder. Whether nothing is left. May be called again. */
  end(): Promise<boolean>
}

const running = new Set<ChildProcess>()

/** The last resort, when the worker itself has to go at once. */
export function killChildren(): void {
  for (const { pid } of running) if (pid !== undefined) killNow(pid)
}

/** Starts a child with a clean environment and a folder of its own, in a group of its own. */
export async function startChild(
  name: ChildName,
  { command, folder }: ChildDeps,
  onReport: (report: Report) => void,
): Promise<Child> {
  // Short: sockets of Chromium lie below, and their paths may have 107 bytes.
  const id = randomBytes(6).toString('hex')
  const home = join(folder, id)
  await mkdir(home, { mode: 0o700 })
  const [program = process.execPath, ...first] = command
  const child = spawn(program, [`--max-old-space-size=${HEAP_MIB}`, ...first, name], {
    cwd: home,
    env: environmentOf(id, home),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-MAX_COMPLAINTS_LENGTH)
  })
  readReports(child, onReport)
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(complaints))
  })
  void gone.then(() => running.delete(child))
  const input = child.stdin as Writable
  // It may be gone before it has read its order.
  input.on('error', () => {})
  let ending: Promise<boolean> | null = null
  return {
    id,
    gone,
    send: (order) => void input.write(`${JSON.stringify(order)}\n`),
    end: () => (ending ??= endChild(child, { id, home })),
  }
}

interface Remains {
  readonly id: string
  readonly home: string
}

async function endChild(child: ChildProcess, { id, home }: Remains): Promise<boolean> {
  // Found by the marks of all, and at once by the one that is known.
  if (child.pid !== undefined && child.exitCode === null) child.kill('SIGKILL')
  const isClean = await endProcesses(id)
  for (const stream of child.stdio) stream?.destroy()
  await removeFolder(home)
  return isClean
}

function environmentOf(id: string, home: string): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const folders = { HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
  return { ...Object.fromEntries(passed), ...folders, [visitVariable]: id }
}

/** Lines of JSON. A child that writes what is none, or a line without end, is ended. */
function readReports(child: ChildProcess, onReport: (report: Report) => void): void {
  let rest = ''
  const stream = child.stdio[reportDescriptor]
  if (!stream || !('setEncoding' in stream)) throw new Error('the child has no channel')
  stream.setEncoding('utf8').on('error', () => {})
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    try {
      if (rest.length > maxMessageLength) throw new Error('the line is too long')
      for (const line of lines) onReport(Report.parse(JSON.parse(line)))
    } catch {
      child.kill('SIGKILL')
    }
  })
}
