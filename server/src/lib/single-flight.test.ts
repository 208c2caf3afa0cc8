import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

function openGates() {
  const gates: { open: () => void; fail: (error: Error) => void }[] = []
  let active = 0
  const run = async () => {
    active += 1
    expect(active).toBe(1)
    try {
      await new Promise<void>((open, fail) => gates.push({ open, fail }))
    } finally {
      active -= 1
    }
  }
  return { gates, call: createSingleFlight(run) }
}

test('calls during a run share one run that starts after it', async () => {
  const { gates, call } = openGates()
  const first = call()
  const late = [call(), call(), call()]
  expect(gates).toHaveLength(1)
  gates[0]?.open()
  await first
  const done = Promise.all(late)
  await setImmediate()
  expect(gates).toHaveLength(2)
  gates[1]?.open()
  await done
  expect(gates).toHaveLength(2)
})

test('a call between two runs waits for the second one', async () => {
  const { gates, call } = openGates()
  const first = call()
  const second = call()
  const between = first.then(() => call())
  gates[0]?.open()
  await setImmediate()
  gates[1]?.open()
  await Promise.all([second, setImmediate()])
  gates[2]?.open()
  await between
})

test('a failed run rejects only its own callers', async () => {
  const { gates, call } = openGates()
  const first = call()
  const second = call()
  gates[0]?.fail(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await setImmediate()
  gates[1]?.open()
  await second
})
