import { expect, test } from 'vitest'
import { archivedConfig, changedEventKeys, restoredConfig } from './event-values.ts'
import { printedConfig } from './print-config.ts'
import { readConfig } from './read-config.ts'

const tokenKey = Buffer.alloc(32, 7).toString('base64')
const configOf = (values: object) => readConfig([{ source: 'test', values: { tokenKey, ...values } }])

const frost = configOf({
  ctfName: 'Frost CTF',
  startTime: '2030-05-02T11:00:00+02:00',
  divisions: { open: 'Open', school: 'Schools' },
  scoreProvider: 'scores/legacy',
  sponsors: [{ name: 'Acme', icon: '/x.svg', description: 'two\nlines' }],
  origin: 'https://frost.example',
  dataDir: '/srv/frost',
  metrics: { token: 'a-long-metrics-token' },
})

test('keys of the event are values, those of the machine are comments, and defaults and the token key are left out', async () => {
  const text = await archivedConfig(frost, 'hidden')
  expect(text).toContain('\nstartTime: 2030-05-02T09:00:00.000Z\nendTime: 2030-05-04T09:00:00.000Z\n')
  for (const line of ['# origin: https://frost.example', '# dataDir: /srv/frost', '#   token: (hidden)'])
    expect(text.split('\n')).toContain(line)
  for (const absent of ['tokenKey', 'homeContent', 'port', 'a-long-metrics-token'])
    expect(text).not.toContain(absent)
  expect(await archivedConfig(frost, 'included')).toContain('#   token: a-long-metrics-token')
})

test('another machine reads the same event from it', async () => {
  const text = await archivedConfig(frost, 'hidden')
  const { default: yaml } = await import('yaml')
  const there = configOf(yaml.parse(await restoredConfig(text)))
  expect(changedEventKeys(frost, there)).toEqual([])
  expect(there.origin).toBe('http://localhost:3000')
  expect(changedEventKeys(frost, configOf({ ctfName: 'Frost CTF' }))).toEqual([
    'startTime',
    'endTime',
    'divisions',
    'sponsors',
    'scoreProvider',
  ])
})

test('an archive of an earlier version has the whole configuration, and an invalid one is refused', async () => {
  const whole = await printedConfig(frost)
  expect(await restoredConfig(whole)).toBe(await archivedConfig(frost, 'hidden'))
  for (const [text, reason] of [
    ['startTime: soon\n', /startTime: must be/],
    ['- a list\n', /not a map/],
    ['a: [', /not YAML/],
  ] as const)
    await expect(restoredConfig(text)).rejects.toThrow(reason)
})
