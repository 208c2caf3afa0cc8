import { describe, expect, test } from 'vitest'
import { recordLog } from '../../test/log.ts'
import { CircuitOpenError, createCircuits } from './circuits.ts'

function start() {
  let at = 1_000_000
  const { log, lines } = recordLog()
  const circuits = createCircuits({ now: () => at, log })
  const calls: string[] = []
  const fail = (name = 'mail') =>
    circuits
      .run(name, async () => {
        calls.push(name)
        throw new Error('away')
      })
      .catch((error: unknown) => error)
  const succeed = (name = 'mail') => circuits.run(name, async () => (calls.push(name), 'done'))
  return { circuits, calls, lines, fail, succeed, wait: (ms: number) => (at += ms) }
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work()
}

describe('a circuit', () => {
  test('refuses calls after five failures in a row, for half a second', async () => {
    const { circuits, calls, fail, succeed, wait } = start()
    await times(4, fail)
    await succeed()
    await times(4, fail)
    expect(circuits.open()).toEqual([])
    await fail()
    expect(circuits.open()).toEqual(['mail'])
    const before = calls.length
    await expect(succeed()).rejects.toBeInstanceOf(CircuitOpenError)
    wait(499)
    await expect(succeed()).rejects.toBeInstanceOf(CircuitOpenError)
    expect(calls.length).toBe(before)
    wait(1)
    expect(await succeed()).toBe('done')
    expect(await succeed()).toBe('done')
    expect(circuits.open()).toEqual([])
  })

  test('lets one call try every half second, also while earlier ones hang', async () => {
    const { circuits, fail, succeed, wait } = start()
    await times(5, fail)
    for (let trials = 0; trials < 3; trials += 1) {
      wait(500)
      void circuits.run('mail', () => new Promise(() => {}))
      wait(250)
      await expect(succeed()).rejects.toMatchObject({ name: 'CircuitOpenError', afterMs: 250 })
      wait(-250)
    }
    wait(500)
    expect(await succeed()).toBe('done')
  })

  test('refuses for another half second if the call that tries fails, and not longer for earlier ones', async () => {
    const { circuits, fail, succeed, wait } = start()
    let end = (): void => {}
    const slow = circuits.run('mail', async () => {
      await new Promise<void>((resolve) => (end = resolve))
      throw new Error('late')
    })
    await times(5, fail)
    wait(500)
    await fail()
    wait(250)
    end()
    await expect(slow).rejects.toThrow('late')
    await expect(succeed()).rejects.toBeInstanceOf(CircuitOpenError)
    wait(250)
    expect(await succeed()).toBe('done')
  })

  test('belongs to one service, and its changes are logged once', async () => {
    const { circuits, lines, fail, succeed, wait } = start()
    await times(9, fail)
    await times(5, () => fail('captcha'))
    wait(1_000)
    await fail('captcha')
    expect(circuits.open()).toEqual(['mail', 'captcha'])
    await succeed()
    expect(lines.map(({ level, fields }) => [level, (fields as { service: string }).service])).toEqual([
      ['warn', 'mail'],
      ['warn', 'captcha'],
      ['info', 'mail'],
    ])
  })

  test('forgets the oldest of too many services', async () => {
    const { circuits, fail } = start()
    await times(5, fail)
    for (let n = 0; n < 1000; n += 1) await fail(`host ${n}`)
    expect(circuits.open()).toEqual([])
  })
})

describe('fetch', () => {
  test('has a circuit for each host, and counts only what says that the service is away', async () => {
    const { circuits } = start()
    const sent: string[] = []
    let answer = async (): Promise<Response> => new Response('', { status: 503 })
    const fetch = circuits.fetch(async (input) => {
      sent.push(String(input))
      return await answer()
    })
    await times(5, () => fetch('https://one.example/a?secret=1'))
    await expect(fetch(new URL('https://one.example/b'))).rejects.toBeInstanceOf(CircuitOpenError)
    expect(circuits.open()).toEqual(['one.example'])
    for (const status of [200, 400, 404, 429, 500]) {
      answer = async () => new Response('', { status })
      await times(6, () => fetch(`https://status-${status}.example/`))
    }
    answer = () => Promise.reject(new TypeError('fetch failed'))
    await times(5, () => fetch(new Request('https://two.example/')).catch(() => {}))
    expect(circuits.open()).toEqual(['one.example', 'two.example'])
    expect(sent.length).toBe(5 + 30 + 5)
  })
})
