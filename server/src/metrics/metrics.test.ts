import { readRelease } from '../lib/release.ts'
import perfHooks from 'node:perf_hooks'
import { expect, test, vi } from 'vitest'
import { createMetrics, type MetricSources } from './metrics.ts'

const idle: MetricSources = {
  ofProcess: false,
  gather: null,
  boardStalenessMs: () => 0,
  worldTeams: () => 0,
  outboxPending: () => 0,
  connections: () => 0,
  overload: () => 0,
  openCircuits: () => [],
  caches: () => new Map(),
  bodyBytes: () => 0,
  pool: () => ({ total: 0, idle: 0, waiting: 0 }),
}

const start = (sources: Partial<MetricSources> = {}) => createMetrics({ ...idle, ...sources })

test('counts requests by route, method and status, with their durations', async () => {
  const metrics = start()
  const count = metrics.requestsOf('GET', '/api/v2/challs')
  count(200, 4)
  count(200, 4)
  count(401, 4)
  const text = await metrics.text()
  expect(text).toContain('http_requests_total{route="/api/v2/challs",method="GET",status="200"} 2')
  expect(text).toContain('http_requests_total{route="/api/v2/challs",method="GET",status="401"} 1')
  const duration = 'http_request_duration_seconds'
  expect(text).toContain(`${duration}_bucket{le="0.0025",route="/api/v2/challs",method="GET"} 0`)
  expect(text).toContain(`${duration}_bucket{le="0.005",route="/api/v2/challs",method="GET"} 3`)
  expect(text).toContain(`${duration}_sum{route="/api/v2/challs",method="GET"} 0.012`)
})

test('counts events of the contest', async () => {
  const metrics = start()
  metrics.submissionJudged('incorrect')
  metrics.submissionJudged('correct')
  metrics.solveRecorded()
  metrics.rateLimited('flag')
  metrics.bodyRefused('late')
  metrics.connectionRefused('address')
  metrics.boardFolded(0.2)
  metrics.submissionsCommitted(3, 4)
  metrics.changeLocked(30)
  const text = await metrics.text()
  expect(text).toContain('pennant_submissions_total{result="incorrect"} 1')
  expect(text).toContain('pennant_submissions_total{result="correct"} 1')
  expect(text).toContain('pennant_solves_total 1')
  expect(text).toContain('pennant_rate_limited_total{bucket="flag"} 1')
  expect(text).toContain('pennant_http_bodies_refused_total{reason="late"} 1')
  expect(text).toContain('pennant_http_connections_refused_total{reason="address"} 1')
  expect(text).toContain('pennant_board_fold_seconds_bucket{le="0.00025"} 1')
  expect(text).toContain('pennant_commit_rows_bucket{le="2"} 0')
  expect(text).toContain('pennant_commit_rows_bucket{le="4"} 1')
  expect(text).toContain('pennant_commit_seconds_sum 0.004')
  expect(text).toContain('pennant_change_lock_wait_seconds_sum 0.03')
  expect(text).toContain(
    `pennant_build_info{version="${readRelease().version}",node="${process.versions.node}"} 1`,
  )
})

test('reads gauges on scrape only', async () => {
  let teams = 3
  const metrics = start({
    worldTeams: () => teams,
    boardStalenessMs: () => 1500,
    outboxPending: () => Promise.resolve(7),
    connections: () => 12,
    overload: () => 0,
    openCircuits: () => [],
    bodyBytes: () => 4096,
    pool: () => ({ total: 10, idle: 4, waiting: 1 }),
  })
  teams = 4
  const text = await metrics.text()
  expect(text).toContain('pennant_world_teams 4')
  expect(text).toContain('pennant_board_staleness_seconds 1.5')
  expect(text).toContain('pennant_outbox_pending 7')
  expect(text).toContain('pennant_http_connections 12')
  expect(text).toContain('pennant_http_body_bytes 4096')
  expect(text).toContain('pennant_database_connections 10')
  expect(text).toContain('pennant_database_connections_idle 4')
  expect(text).toContain('pennant_database_requests_waiting 1')
})

test('returns the other series if one cannot be read', async () => {
  const text = await start({
    outboxPending: () => Promise.reject(new Error('the database is away')),
    worldTeams: () => 5,
  }).text()
  expect(text).toMatch(/^pennant_outbox_pending nan$/im)
  expect(text).toContain('pennant_world_teams 5')
})

test('two registries in one process are independent', async () => {
  const [first, second] = [start(), start()]
  first.solveRecorded()
  expect(await second.text()).toContain('pennant_solves_total 0')
})

test('includes process metrics only if requested, and samples the event loop from the first scrape on', async () => {
  const sampling = vi.spyOn(perfHooks, 'monitorEventLoopDelay')
  expect(await start().text()).not.toContain('process_resident_memory_bytes')
  const metrics = start({ ofProcess: true })
  expect(sampling).not.toHaveBeenCalled()
  const text = await metrics.text()
  expect(sampling).toHaveBeenCalledTimes(1)
  sampling.mockRestore()
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
})

test('exports the admin-bot queue only if there is an admin bot', async () => {
  expect(await start().text()).not.toContain('pennant_adminbot_queue_depth')
  expect(await start({ adminBotQueue: () => 3 }).text()).toContain('pennant_adminbot_queue_depth 3')
})

test('reports the duration of calls to an instancer by operation and result', async () => {
  const metrics = start({ instances: { readViews: async () => [], waiting: () => 0 } })
  metrics.instancerCalled({ instancer: 'main', operation: 'create', result: 'ok', ms: 300 })
  const text = await metrics.text()
  const labels = 'instancer="main",operation="create",result="ok"'
  expect(text).toContain(`pennant_instancer_call_seconds_bucket{le="0.25",${labels}} 0`)
  expect(text).toContain(`pennant_instancer_call_seconds_bucket{le="0.5",${labels}} 1`)
  expect(text).toContain(`pennant_instancer_call_seconds_sum{${labels}} 0.3`)
})

test('reports the lookups of caches by result, and the capacity of those that have one', async () => {
  const caches = new Map([
    ['lists', { capacity: 7, hits: 2, misses: 3 }],
    ['bodies', { capacity: Infinity, hits: 0, misses: 1 }],
  ])
  const text = await start({ caches: () => caches }).text()
  expect(text).toContain('pennant_cache_lookups_total{cache="lists",result="hit"} 2')
  expect(text).toContain('pennant_cache_lookups_total{cache="lists",result="miss"} 3')
  expect(text).toContain('pennant_cache_lookups_total{cache="bodies",result="miss"} 1')
  expect(text.match(/^pennant_cache_capacity.*$/gm)).toEqual(['pennant_cache_capacity{cache="lists"} 7'])
})
