#!/usr/bin/env node
import type { Outside } from './cli/outside.ts'

// The only file that reads the environment, opens standard streams and catches signals. Everything else is loaded
// after the version of Node is known: older ones fail on its syntax before they could say why.

/** npm passes on a signal that the terminal has sent already; both come within milliseconds. */
const SAME_SIGNAL_MS = 500

/** Time for what is still open to end by itself, once all is done. */
const LINGER_MS = 1000

const outside: Outside = {
  env: process.env,
  now: () => Date.now(),
  isTerminal: process.stdout.isTTY,
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
  catchSignals,
  exit: (status) => process.exit(status),
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
  outside.complain(`Pennant needs Node 20.19 or later; this is ${process.versions.node}.`)
  process.exitCode = 1
} else {
  // A reader that has gone away, as in `pennant admin list | head -1`, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const { run } = await import('./cli/program.ts')
  process.exitCode = await run(process.argv.slice(2), outside)
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
