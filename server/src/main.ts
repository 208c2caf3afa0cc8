#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import type { ProcessContext } from './cli/process-context.ts'

// The only file that reads the environment, opens standard streams and handles signals. Everything else is
// imported after the version check of Node: older versions would fail on its syntax before they could report
// the reason.

/** npm forwards a signal that the terminal has already sent; both arrive within milliseconds. */
const SAME_SIGNAL_MS = 500

/** Grace period for open handles to close after all work is done. */
const LINGER_MS = 1000

const context: ProcessContext = {
  env: process.env,
  command: [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)],
  now: () => Date.now(),
  isTerminal: process.stdout.isTTY,
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY && {
    progress: (text: string) => void process.stderr.write(`\r\u001b[K${text}`),
  }),
  ask,
  catchSignals,
  exit: (status) => process.exit(status),
}

let input: AsyncIterator<string> | undefined

async function ask(question: string): Promise<string | null> {
  process.stdout.write(question)
  if (!input) {
    const { createInterface } = await import('node:readline')
    input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  }
  const { value, done } = await input.next()
  return done ? null : value
}

function catchSignals(): AbortSignal {
  const stop = new AbortController()
  let firstAt = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        firstAt = Date.now()
        stop.abort(signal)
      } else if (Date.now() - firstAt > SAME_SIGNAL_MS) {
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
    })
  }
  return stop.signal
}

function isOldNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 20 || (major === 20 && minor < 19)
}

if (isOldNode()) {
  context.complain(`Pennant needs Node 20.19 or later; this is ${process.versions.node}.`)
  process.exitCode = 1
} else {
  // A closed pipe, as in `pennant admin list | head -1`, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const { run } = await import('./cli/program.ts')
  process.exitCode = await run(process.argv.slice(2), context)
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
