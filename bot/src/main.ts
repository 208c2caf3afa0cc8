#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { isChildName, runChild } from './child/run.ts'

// The only file that reads the environment and handles signals. The worker starts the same program for its
// children, which load none of the worker's code.

const [name] = process.argv.slice(2)
if (isChildName(name)) await runChild(name)
else if (name === undefined) await work()
else fail(`Unknown command ${name}: the worker is configured through environment variables.`)

async function work(): Promise<void> {
  const [
    { createLogger },
    { readConfig, secretFilesIn, secretsInEnvironment },
    { readSecretFile },
    { runWorker },
    { killChildren },
  ] = await Promise.all([
    import('./worker/logger.ts'),
    import('./config.ts'),
    import('./secret-file.ts'),
    import('./worker/worker.ts'),
    import('./worker/sandbox.ts'),
  ])
  const [stop, giveUp] = [new AbortController(), new AbortController()]
  process.on('exit', killChildren)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (stop.signal.aborted ? giveUp : stop).abort(signal))
  const command = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)]
  try {
    const config = readConfig(process.env, readSecretFile)
    const log = createLogger(config.LOG_LEVEL)
    const exposed = secretsInEnvironment(process.env)
    if (exposed.length > 0)
      log.warn(
        { exposed },
        'secrets are set in environment variables, which challenge code may read: use the _FILE variables instead',
      )
    const secretFiles = secretFilesIn(process.env)
    await runWorker({
      config,
      secretFiles,
      log,
      now: Date.now,
      command,
      stop: stop.signal,
      giveUp: giveUp.signal,
    })
    process.exit()
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
