import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { fillContest } from './fill.ts'
import { startInstance } from '../lib/instance.ts'
import { findGrowth, tableOf, type Window } from './growth.ts'
import { startPlayers } from './players.ts'
import { watchMemory } from './memory.ts'

// Plays a steady event on a real server for an hour, or `--minutes N`, and fails if its memory grows, if it answers more
// slowly at the end, or if anything fails: docs/contribute/tests.md. `--memory-only`: slower answers do not fail, for
// machines that do other work, too.

const WINDOWS = 12

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      'memory-only': { type: 'boolean', default: false },
    },
  })
  const minutes = Number(values.minutes)
  if (!(minutes >= 1 && minutes <= 24 * 60)) throw new Error('--minutes must be between 1 and 1440.')
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-soak-'))
  try {
    const env = {
      LOG_LEVEL: 'error',
      PENNANT_REGISTRATION_LIMIT_BURST: '1000',
      PENNANT_START_TIME: String(Date.now()),
      // Beside other work, refused reads would say nothing about the server.
      ...(values['memory-only'] && { PENNANT_HTTP_OVERLOAD_DELAY: '0' }),
    }
    await using instance = await startInstance({
      dataDir,
      port: await findFreePort(),
      env,
      output: 'inherit',
    })
    console.log('filling: 450 teams, 20 challenges, 300 solves …')
    const filled = await fillContest(instance)
    const memory = watchMemory(instance)
    const players = startPlayers(instance, { filled, durationMs: minutes * MINUTE_MS })
    const windows: Window[] = []
    while (windows.length < WINDOWS) {
      await delay((minutes * MINUTE_MS) / WINDOWS)
      windows.push({ ...players.take(), ...memory.take() })
    }
    await players.stop()
    memory.stop()
    for (const line of tableOf(windows, minutes / WINDOWS)) console.log(line)
    const problems = findGrowth(windows, { latency: !values['memory-only'] })
    for (const problem of problems) console.error(problem)
    if (instance.process.exitCode !== null) problems.push('the server ended')
    if (problems.length > 0) process.exitCode = 1
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
