import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measured, Plan } from './plan.ts'

// wrk (https://github.com/wg/wrk) needs a fifth of the processor time of our generator, which matters above 20,000 requests per second.

const US_PER_MS = 1000

let isThere: boolean | null = null

export function hasWrk(): boolean {
  isThere ??= spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined
  return isThere
}

/**
 * wrk opens all connections when it starts to measure, and counts the wait for them. With many, that is all that its highest latencies
 * say: a server that has hundreds of requests in a turn of its event loop accepts few connections in it.
 */
const MAX_CONNECTIONS = 500

/** wrk sends a closed loop of requests that can be repeated. */
export const canUseWrk = ({ perSecond, connections, isOnce = false }: Plan): boolean =>
  perSecond === null && !isOnce && connections <= MAX_CONNECTIONS && hasWrk()

export async function runWrk(plan: Plan, onStart: () => void): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'pennant-wrk-'))
  const script = join(folder, 'requests.lua')
  writeFileSync(script, scriptOf(plan))
  try {
    if (plan.warmUpSeconds) await runOnce(script, { ...plan, seconds: plan.warmUpSeconds })
    onStart()
    return await runOnce(script, plan)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runOnce(script: string, plan: Plan): Promise<Measured> {
  const seconds = String(Math.max(1, Math.round(plan.seconds)))
  const args = ['-t', '1', '-c', String(plan.connections), '-d', `${seconds}s`, '--timeout', '30s']
  const child = spawn('wrk', [...args, '-s', script, plan.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  const [, line] = /^result (.*)$/m.exec(output) ?? []
  if (line === undefined) throw new Error(`wrk failed: ${output}`)
  const [count = 0, us = 1, p50 = 0, p99 = 0, p999 = 0, max = 0, failed = 0, broken = 0] = line
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
    maxMs: max / US_PER_MS,
    statuses: { '2xx': count - failed, ...(failed > 0 && { other: failed }) },
    broken,
    unsent: 0,
  }
}

function scriptOf({ requests }: Plan): string {
  const formats = requests.map(({ method = 'GET', path, headers = {}, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`)
    const content = body === undefined ? 'nil' : quoted(body)
    return `wrk.format(${quoted(method)}, ${quoted(path)}, {${fields.join(', ')}}, ${content})`
  })
  return `
local requests, at = {}, 0
function init(args)
${formats.map((format, n) => `  requests[${n + 1}] = ${format}`).join('\n')}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("result %d %d %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max,
    e.status, e.connect + e.read + e.write + e.timeout))
end
`
}

/** Lua has the escapes of JSON, except for Unicode ones, which do not occur in requests of the bench. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
