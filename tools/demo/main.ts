import { setMaxListeners } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@pennant/contract/client.ts'
import { startInstance } from '../lib/instance.ts'
import { demoConfig } from './config.ts'
import { fillDemo, fillLive, openDemo } from './fill.ts'
import { liveConfig, openLive } from './live.ts'
import { play } from './play.ts'

const USAGE = `npm run demo -- [--port 3000] [--teams 40] [--speed 60]

Runs a server with an example contest and lets simulated teams play it through the API. Its data is kept in data-demo;
remove that folder to start over.`

interface DemoOptions {
  readonly port: number
  readonly teams: number
  readonly speed: number
}

function readOptions(): DemoOptions | null {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env['PORT'] ?? '3000' },
      teams: { type: 'string', default: '40' },
      speed: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return { port: Number(values.port), teams: Number(values.teams), speed: Number(values.speed) }
}

async function main({ port, teams, speed }: DemoOptions): Promise<void> {
  const stop = new AbortController()
  // Every simulated team adds a listener.
  setMaxListeners(0, stop.signal)
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const folder = fileURLToPath(new URL('../../data-demo', import.meta.url))
  await mkdir(folder, { recursive: true })
  const dataDir = join(folder, 'data')
  const configFile = join(folder, 'pennant.yaml')
  // JSON is valid YAML.
  await using live = await openLive({
    serverUrl: `http://127.0.0.1:${port}`,
    say: (line) => console.log(line),
  })
  const config = live ? { ...demoConfig, ...liveConfig(live) } : demoConfig
  await writeFile(configFile, `${JSON.stringify(config, null, 2)}\n`)
  await using instance = await startInstance({
    dataDir,
    port,
    env: { PENNANT_CONFIG: configFile, LOG_LEVEL: 'warn' },
  })
  const call = createClient({ baseUrl: instance.url })
  const run = Date.now().toString(36)
  const admin = await instance.createAdmin(`organiser-${run}`)
  await openDemo(call, admin.authToken)
  await fillDemo(call, admin.authToken, Date.now())
  if (live) await fillLive(call, admin.authToken)
  console.log(`the contest is open at ${instance.url}`)
  console.log(`auth token of an organiser: ${admin.authToken}`)
  await play({ call, teams, speed, signal: stop.signal, say: (line) => console.log(line) })
  if (stop.signal.aborted) return
  console.log('all teams are done; the server runs on until Ctrl-C')
  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
}

const options = readOptions()
if (options) await main(options)
else console.log(USAGE)
