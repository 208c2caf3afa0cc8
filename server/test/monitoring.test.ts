import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../src/metrics/metrics.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const rulesFile = `${deploy}prometheus/pennant.rules.yaml`
const testsFile = `${deploy}prometheus/pennant.tests.yaml`

/** The names that a server with every feature exports, those of histograms with their endings. */
async function exportedNames(): Promise<Set<string>> {
  const metrics = createMetrics({
    gather: null,
    ofProcess: true,
    boardStalenessMs: () => 0,
    worldTeams: () => 0,
    outboxPending: () => 0,
    adminBotQueue: () => 0,
    lastBackup: () => 0,
    instances: { readViews: async () => [], waiting: () => 0 },
    connections: () => 0,
    overload: () => 0,
    openCircuits: () => [],
    caches: () => new Map(),
    bodyBytes: () => 0,
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
  })
  const types = (await metrics.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)
  return new Set(
    [...types].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
}

const namesIn = (expression: string) =>
  [...expression.matchAll(/\b((?:pennant|http|process|nodejs)_\w+)/g)].map(([, name = '']) => name)

interface Rule {
  readonly alert: string
  readonly expr: string
}

function readRules(): Rule[] {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

test('the alert rules and the dashboard use only metrics that the server exports', async () => {
  const exported = await exportedNames()
  const dashboard = JSON.parse(readFileSync(`${deploy}grafana/pennant.json`, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const expressions = [
    ...readRules().map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const used = expressions.flatMap(namesIn)
  expect(used.length).toBeGreaterThan(30)
  expect([...new Set(used)].filter((name) => !exported.has(name))).toEqual([])
})

test('every alert has an entry in the monitoring page', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../docs/operate/monitoring.md', import.meta.url)),
    'utf8',
  )
  expect(readRules().filter(({ alert }) => !page.includes(`\`${alert}\``))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool)('promtool accepts the alert rules and their tests', () => {
  for (const args of [
    ['check', 'rules', rulesFile],
    ['test', 'rules', testsFile],
    ['check', 'config', '--syntax-only', `${deploy}prometheus/prometheus.yaml`],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  }
})
