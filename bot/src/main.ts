#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { isChildName, runChild } from './child/run.ts'

// The only file that reads the environment and catches signals. The worker starts the same program as its children,
// which load nothing of it.

const [name] = process.argv.slice(2)
if (isChildName(name)) await runChild(name)
else if (name === undefined) await work()
else fail(`There is no command ${name}: the worker takes its settings from the environment.`)

async function work(): Promise<void> {
  const [{ createLogger }, { readConfig }, { runWorker }, { killChildren }] = await Promise.all([
    import('./worker/logger.ts'),
    import('./config.ts'),
    import('./worker/worker.ts'),
    import('./worker/child.ts'),
  ])
  const [stop, giveUp] = [new AbortController(), new AbortController()]
  process.on('exit', killChildren)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (stop.signal.aborted ? giveUp : stop).abort(signal))
  const command = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)]
  try {
    const config = readConfig(process.env)
    const log = createLogger(config.LOG_LEVEL)
    await runWorker({ config, log, now: Date.now, command, stop: stop.signal, giveUp: giveUp.signal })
    process.exit()
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
