import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signalTiers } from '../../contract/src/fair-play.ts'
import { planted, SEED, simulateEvent } from './event.ts'
import { figuresOf, tableOf } from './figures.ts'

test('hard signals are never wrong, in several events', () => {
  for (const seed of ['one', 'two', 'three']) {
    const hard = figuresOf(simulateEvent(seed)).filter(({ kind }) => signalTiers[kind] === 'hard')
    expect(hard.reduce((sum, { signals }) => sum + signals, 0)).toBeGreaterThan(0)
    for (const { signals, right } of hard) expect(right).toBe(signals)
  }
})

test('the documentation has the figures of the tool', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/fair-play.md'), 'utf8')
  expect(page).toContain(tableOf(figuresOf(simulateEvent(SEED)), planted.pairs))
})
