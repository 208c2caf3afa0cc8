import { expect, test } from 'vitest'
import { createMetrics, type MetricSources } from './metrics.ts'

const idle: MetricSources = {
  ofProcess: false,
  boardStalenessMs: () => 0,
  worldTeams: () => 0,
  outboxPending: () => 0,
  streamClients: () => 0,
  pool: () => ({ total: 0, idle: 0, waiting: 0 }),
}

const start = (sources: Partial<MetricSources> = {}) => createMetrics({ ...idle, ...sources })

test('counts requests by route, method and status, and how long they took', async () => {
  const metrics = start()
  const request = { method: 'GET', route: '/api/v2/challs', status: 200, ms: 4 }
  metrics.requestDone(request)
  metrics.requestDone(request)
  metrics.requestDone({ ...request, status: 401 })
  const text = await metrics.text()
  expect(text).toContain('http_requests_total{route="/api/v2/challs",method="GET",status="200"} 2')
  expect(text).toContain('http_requests_total{route="/api/v2/challs",method="GET",status="401"} 1')
  const duration = 'http_request_duration_seconds'
  expect(text).toContain(`${duration}_bucket{le="0.0025",route="/api/v2/challs",method="GET"} 0`)
  expect(text).toContain(`${duration}_bucket{le="0.005",route="/api/v2/challs",method="GET"} 3`)
  expect(text).toContain(`${duration}_sum{route="/api/v2/challs",method="GET"} 0.012`)
})

test('counts what happens in the contest', async () => {
  const metrics = start()
  metrics.submissionJudged('incorrect')
  metrics.submissionJudged('correct')
  metrics.solveRecorded()
  metrics.rateLimited('flag')
  metrics.boardFolded(0.2)
  const text = await metrics.text()
  expect(text).toContain('pennant_submissions_total{result="incorrect"} 1')
  expect(text).toContain('pennant_submissions_total{result="correct"} 1')
  expect(text).toContain('pennant_solves_total 1')
  expect(text).toContain('pennant_rate_limited_total{bucket="flag"} 1')
  expect(text).toContain('pennant_board_fold_seconds_bucket{le="0.00025"} 1')
})

test('reads gauges when it is asked, not before', async () => {
  let teams = 3
  const metrics = start({
    worldTeams: () => teams,
    boardStalenessMs: () => 1500,
    outboxPending: () => Promise.resolve(7),
    streamClients: () => 2,
    pool: () => ({ total: 10, idle: 4, waiting: 1 }),
  })
  teams = 4
  const text = await metrics.text()
  expect(text).toContain('pennant_world_teams 4')
  expect(text).toContain('pennant_board_staleness_seconds 1.5')
  expect(text).toContain('pennant_outbox_pending 7')
  expect(text).toContain('pennant_stream_clients 2')
  expect(text).toContain('pennant_database_connections 10')
  expect(text).toContain('pennant_database_connections_idle 4')
  expect(text).toContain('pennant_database_requests_waiting 1')
})

test('shows the other series when one cannot be read', async () => {
  const text = await start({
    outboxPending: () => Promise.reject(new Error('the database is away')),
    worldTeams: () => 5,
  }).text()
  expect(text).toMatch(/^pennant_outbox_pending nan$/im)
  expect(text).toContain('pennant_world_teams 5')
})

test('two sets of series in one process know nothing of each other', async () => {
  const [first, second] = [start(), start()]
  first.solveRecorded()
  expect(await second.text()).toContain('pennant_solves_total 0')
})

test('tells of the process only when asked to', async () => {
  expect(await start().text()).not.toContain('process_resident_memory_bytes')
  const text = await start({ ofProcess: true }).text()
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
})

test('the queue of the admin bot is there where there is an admin bot', async () => {
  expect(await start().text()).not.toContain('pennant_adminbot_queue_depth')
  expect(await start({ adminBotQueue: () => 3 }).text()).toContain('pennant_adminbot_queue_depth 3')
})
