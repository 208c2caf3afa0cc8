import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { headersOf, requestBytes, type Measured, type Plan, type RequestSpec } from './plan.ts'

const US_PER_MS = 1000

/**
 * Runs a plan. wrk (https://github.com/wg/wrk) sends requests that can be repeated, where it is installed: above 20,000
 * requests per second, autocannon would be the limit.
 */
export function run(plan: Plan): Promise<Measured> {
  return !plan.isOnce && hasWrk() ? runWrk(plan) : runAutocannon(plan)
}

let isInstalled: boolean | null = null

function hasWrk(): boolean {
  isInstalled ??= spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined
  return isInstalled
}

async function runAutocannon(plan: Plan): Promise<Measured> {
  const { url, connections, requests, isOnce = false, seconds } = plan
  const loop = isOnce ? { amount: requests.length } : { duration: seconds }
  const startedAt = performance.now()
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url, connections, ...loop, requests: scriptOf(plan) }
    const running = autocannon(options, (error: Error | null, ended) => {
      clearTimeout(limit)
      if (error) reject(error)
      else resolve(ended)
    })
    // A server that is slower than expected does not get all requests.
    const limit = setTimeout(() => void running.stop(), seconds * SECOND_MS)
  })
  const elapsed = (performance.now() - startedAt) / SECOND_MS
  const count = result.requests.total
  const stats = Object.entries(result.statusCodeStats ?? {})
  return {
    generator: 'autocannon',
    count,
    seconds: elapsed,
    perSecond: count / elapsed,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    p999Ms: result.latency.p99_9,
    statuses: Object.fromEntries(stats.map(([status, { count: times = 0 }]) => [status, times])),
    broken: result.errors + result.timeouts,
  }
}

/** All connections take from one list. */
function scriptOf({ requests }: Plan): autocannon.Request[] {
  let sent = 0
  const next = () => scripted(requests[sent++ % requests.length] ?? { path: '/' })
  return [{ setupRequest: (request) => ({ ...request, ...next() }) }]
}

function scripted(spec: RequestSpec): autocannon.Request {
  const { method = 'GET', path, body } = spec
  return { method, path, headers: headersOf(spec), ...(body !== undefined && { body }) }
}

async function runWrk(plan: Plan): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'pennant-wrk-'))
  try {
    const script = join(folder, 'requests.lua')
    const file = join(folder, 'requests')
    const { host } = new URL(plan.url)
    writeFileSync(file, plan.requests.map((spec) => `${String(requestBytes(spec, host))}\0`).join(''))
    writeFileSync(script, luaOf(file))
    const seconds = String(Math.max(1, Math.round(plan.seconds)))
    const args = ['-t', '1', '-c', String(plan.connections), '-d', `${seconds}s`, '--timeout', '30s']
    const child = spawn('wrk', [...args, '-s', script, plan.url], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    for await (const chunk of child.stdout) output += String(chunk)
    const [, line] = /^result (.*)$/m.exec(output) ?? []
    if (line === undefined) throw new Error(`wrk failed: ${output}`)
    const [count = 0, us = 1, p50 = 0, p99 = 0, p999 = 0, failed = 0, broken = 0] = line
      .split(' ')
      .map(Number)
    const elapsed = us / 1e6
    return {
      generator: 'wrk',
      count,
      seconds: elapsed,
      perSecond: count / elapsed,
      p50Ms: p50 / US_PER_MS,
      p99Ms: p99 / US_PER_MS,
      p999Ms: p999 / US_PER_MS,
      statuses: { '2xx': count - failed, ...(failed > 0 && { other: failed }) },
      broken,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The requests are in a file, one after the other with a zero byte between: Lua limits the constants of a function. */
const luaOf = (file: string) => `
local requests, count, at = {}, 0, 0
function init()
  for bytes in io.open(${JSON.stringify(file)}, "rb"):read("*a"):gmatch("[^%z]+") do
    count = count + 1
    requests[count] = bytes
  end
end
function request()
  at = at % count + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("result %d %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    e.status, e.connect + e.read + e.write + e.timeout))
end
`
