import { Worker } from 'node:worker_threads'

/** An orphan keeps a browser running, and checking the parent costs nothing. */
const LOOK_MS = 500

/**
 * Ends this process when its worker is gone. Runs in a thread of its own, so that it also works while an
 * author's code never returns. The browser exits when its pipe closes.
 */
export function endWithWorker(): void {
  const script = `
    const parent = process.ppid
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, ${LOOK_MS})`
  new Worker(script, { eval: true, env: {}, stdout: true, stderr: true }).unref()
}
