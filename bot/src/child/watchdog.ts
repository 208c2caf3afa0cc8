import { Worker } from 'node:worker_threads'

/** An orphan holds a browser; a look at the parent costs nothing. */
const LOOK_MS = 500

/**
 * Ends this process when the worker that started it is gone, also while code of an author never returns: a thread of
 * its own looks. The browser ends by itself when its pipe closes.
 */
export function endWithWorker(): void {
  const look = `
    const parent = process.ppid
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, ${LOOK_MS})`
  new Worker(look, { eval: true, env: {}, stdout: true, stderr: true }).unref()
}
