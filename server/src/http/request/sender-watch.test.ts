import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { recordLog } from '../../../test/log.ts'
import { createSenderWatch } from './sender-watch.ts'

function start() {
  let at = 0
  const { log, lines } = recordLog()
  const watch = createSenderWatch({ now: () => at, log })
  const note = (address: string, count = 1, peer: string | null = null) => {
    const sender = { address, peer: peer ?? address, hasIgnoredHeaders: peer !== null }
    for (let n = 0; n < count; n += 1) watch.note(sender)
  }
  return { watch, note, lines, pass: (ms: number) => (at += ms) }
}

const players = Array.from({ length: 300 }, (_, n) => `198.51.${n % 200}.${n}`)

test('reports nothing if clients have different addresses', () => {
  const { watch, note, lines } = start()
  for (const player of players) note(player, 10)
  expect(watch.findings()).toEqual({ untrustedProxies: [], dominant: null })
  expect(lines).toEqual([])
})

test('reports a proxy on a private network at its first request and logs it once', () => {
  const { watch, note, lines } = start()
  note('172.17.0.1', 500, '172.17.0.1')
  expect(watch.findings().untrustedProxies).toEqual(['172.17.0.1'])
  expect(lines.filter(({ message }) => message.includes('not in proxy.trust'))).toHaveLength(1)
})

test('reports a proxy on the internet once most requests come from it, but not a client that sends the headers', () => {
  const { watch, note } = start()
  note('203.0.113.9', 99, '203.0.113.9')
  for (const player of players) note(player)
  expect(watch.findings().untrustedProxies).toEqual([])
  note('203.0.113.9', 300, '203.0.113.9')
  expect(watch.findings().untrustedProxies).toEqual(['203.0.113.9'])
})

test('reports the address of most requests and logs it once', () => {
  const { watch, note, lines } = start()
  note('10.0.0.1', 900)
  expect(watch.findings().dominant).toBeNull()
  for (const player of players) note(player)
  note('10.0.0.1', 3_000)
  expect(watch.findings().dominant).toMatchObject({ address: '10.0.0.1' })
  expect(watch.findings().dominant?.percent).toBeGreaterThan(80)
  expect(lines.filter(({ message }) => message.includes('most requests come from one address'))).toHaveLength(
    1,
  )
})

test('keeps a finding for one more window', () => {
  const { watch, note, pass } = start()
  note('172.17.0.1', 1_500, '172.17.0.1')
  pass(11 * MINUTE_MS)
  expect(watch.findings()).toMatchObject({ untrustedProxies: ['172.17.0.1'], dominant: { percent: 100 } })
  pass(11 * MINUTE_MS)
  expect(watch.findings()).toEqual({ untrustedProxies: [], dominant: null })
})
