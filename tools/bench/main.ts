import { cpus, loadavg } from 'node:os'
import {
  readOptions,
  USAGE,
  type Options,
  type OwnScenario,
  type Scenario,
  type SharedScenario,
} from './options.ts'
import { startPlainServer, type PlainServer } from './limits/plain.ts'
import { growthScenario } from './scenarios/growth.ts'
import { freshnessScenario } from './scenarios/freshness.ts'
import { markdownOf, type Section } from './report.ts'
import { readScenario } from './scenarios/read.ts'
import { rushScenario } from './scenarios/rush.ts'
import { streamScenario } from './scenarios/stream.ts'
import { writeScenario } from './scenarios/write.ts'
import { openSubject, type Subject } from './subject.ts'

// Measures a server beside the limits of the machine, in one run: docs/performance.md. Absolute figures on a shared
// machine vary by half from hour to hour; compare the ratios and the processor time per request instead.

type Shared = (subject: Subject, options: Options, plain: PlainServer) => Promise<Section>
const SHARED: Record<SharedScenario, Shared> = { read: readScenario, write: writeScenario }
const OWN: Record<OwnScenario, (options: Options) => Promise<Section[]>> = {
  rush: rushScenario,
  growth: growthScenario,
  freshness: freshnessScenario,
  stream: streamScenario,
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(USAGE)
  const options = readOptions(args)
  const sections: Section[] = []
  const report = (section: Section) => {
    sections.push(section)
    if (!options.isJson) for (const line of markdownOf(section)) console.log(line)
  }
  await measureShared(options, report)
  for (const scenario of options.scenarios) {
    if (isShared(scenario)) continue
    for (const section of await OWN[scenario](options)) report(section)
  }
  if (options.isJson) console.log(JSON.stringify({ ...machine(), options, sections }, null, 2))
  else console.log(describeMachine())
}

const isShared = (scenario: Scenario): scenario is SharedScenario => Object.hasOwn(SHARED, scenario)

async function measureShared(options: Options, report: (section: Section) => void): Promise<void> {
  const scenarios = options.scenarios.filter(isShared)
  if (scenarios.length === 0) return
  using plain = await startPlainServer()
  for (const data of options.against ? [options.data] : options.dataSets) {
    await using subject = await openSubject(data, options.against)
    for (const scenario of scenarios) report(await SHARED[scenario](subject, options, plain))
  }
}

function machine() {
  const [cpu] = cpus()
  return {
    at: new Date().toISOString(),
    node: process.version,
    cores: cpus().length,
    cpu: cpu?.model ?? '',
    loadAverage: loadavg(),
  }
}

/** The load includes the run itself: about 2 on two cores. */
function describeMachine(): string {
  const { node, cores, cpu, loadAverage } = machine()
  return `Node ${node}, ${cores} cores (${cpu}), load average ${loadAverage.map((load) => load.toFixed(1)).join(' ')}`
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
