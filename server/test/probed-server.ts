import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../src/lib/free-port.ts'
import { createDisposal } from '../src/lib/disposal.ts'
import { botConfig } from './bot-contest.ts'
import { openTestDatabase } from './database.ts'
import { runProgram, startProgram } from './program.ts'

export interface Memory {
  /** Memory in use after a garbage collection. */
  readonly heldBytes: number
  /** Peak resident memory since the start. */
  readonly peakBytes: number
  /** Bytes read so far from the connections that are now open. */
  readonly readBytes: number
}

export interface ProbedServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly adminToken: string
  measure(): Promise<Memory>
}

/** Starts the server in a separate process, so that its memory is measured without that of the clients. */
export async function startProbedServer(env: Readonly<Record<string, string>> = {}): Promise<ProbedServer> {
  const disposal = createDisposal()
  const database = await openTestDatabase()
  disposal.defer(() => database[Symbol.asyncDispose]())
  const folder = await mkdtemp(join(tmpdir(), 'pennant-probed-'))
  disposal.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const probe = new URL('memory-probe.mjs', import.meta.url).href
  const environment = {
    DATABASE_URL: database.url,
    PENNANT_DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PENNANT_START_TIME: String(Date.now()),
    PENNANT_ADMIN_BOT: JSON.stringify(botConfig.adminBot),
    ...env,
  }
  const made = await runProgram(
    ['admin', 'create', '--name', 'Boss', '--email', 'boss@pennant.invalid', '--json'],
    environment,
  )
  const { authToken } = JSON.parse(made.output) as { authToken: string }
  const program = startProgram(['serve'], { ...environment, NODE_OPTIONS: `--expose-gc --import ${probe}` })
  disposal.defer(() => program[Symbol.asyncDispose]())
  await program.line(/ready at/)
  let probes = 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    adminToken: authToken,
    async measure() {
      const number = ++probes
      program.child.kill('SIGUSR2')
      const line = await program.line(new RegExp(`^probe ${number} `))
      return JSON.parse(line.replace(/^probe \d+ /, '')) as Memory
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}
