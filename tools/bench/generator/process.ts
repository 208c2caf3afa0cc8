import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Measured, Plan } from './plan.ts'
import { run } from './run.ts'

// The generator runs in a process of its own, so that it neither slows down nor is slowed down by what measures.

/** Runs a plan. `onStart` is called after the warm-up, when the measured part begins. */
export async function runApart(plan: Plan, onStart: () => void): Promise<Measured> {
  const child = fork(fileURLToPath(import.meta.url), ['generate'])
  const failed = once(child, 'exit').then(([status]) => {
    throw new Error(`the generator ended with status ${String(status)}`)
  })
  failed.catch(() => {})
  const received = async () => (await Promise.race([once(child, 'message'), failed]))[0] as unknown
  try {
    await received()
    child.send(plan)
    await received()
    onStart()
    child.send('go')
    return (await received()) as Measured
  } finally {
    child.kill()
  }
}

async function answer(send: (message: unknown) => void): Promise<void> {
  send('ready')
  const [plan] = (await once(process, 'message')) as [Plan]
  const measured = await run(plan, async () => {
    send('warm')
    await once(process, 'message')
  })
  send(measured)
}

if (process.send && process.argv[2] === 'generate') void answer(process.send.bind(process))
