import { expect, test } from 'vitest'
import { recordLog } from '../../../server/test/log.ts'
import type { CompileResult } from './compiler.ts'
import { serveSourceCheck } from './source-check.ts'

const secretKey = 'secret-9a'
const plan = {
  inputs: { url: { pattern: '.' } },
  timeoutMilliseconds: 1000,
  requireInstancerInstancesRunning: true,
  maxLogLines: 1,
  maxLogValueChars: 1,
}

async function withCheck(
  check: (source: string) => Promise<CompileResult>,
  scenario: (ask: Ask) => Promise<void>,
) {
  const { log, lines } = recordLog()
  const served = await serveSourceCheck({ host: '127.0.0.1', port: 0, secretKey, log, check })
  try {
    await scenario(async (body, { path = '/v1/test', token = secretKey, method = 'POST' } = {}) => {
      const response = await fetch(`http://127.0.0.1:${served.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' && { body }),
      })
      return { status: response.status, value: (await response.json()) as object }
    })
  } finally {
    await served.close()
  }
  return lines
}

type Ask = (
  body: string,
  how?: { readonly path?: string; readonly token?: string; readonly method?: string },
) => Promise<{ readonly status: number; readonly value: object }>

const compiles = async (): Promise<CompileResult> => ({ code: 'compiled', plan })
const body = JSON.stringify({ source: 'code' })

test('returns the derived settings without the code', async () => {
  await withCheck(compiles, async (ask) => {
    expect(await ask(body)).toEqual({
      status: 200,
      value: {
        inputs: plan.inputs,
        timeoutMilliseconds: 1000,
        requireInstancerInstancesRunning: true,
      },
    })
  })
})

test('an error in the code is not a failure of the check', async () => {
  await withCheck(
    async () => ({ detail: 'line 1' }),
    async (ask) => {
      expect(await ask(body)).toEqual({ status: 200, value: { detail: 'line 1' } })
    },
  )
})

test('every path requires the secret first', async () => {
  await withCheck(compiles, async (ask) => {
    for (const path of ['/v1/test', '/', '/metrics'])
      for (const token of ['', 'x', `${secretKey}x`])
        expect(await ask(body, { path, token })).toMatchObject({ status: 401 })
    expect(await ask(body, { path: '/' })).toMatchObject({ status: 404 })
    expect(await ask('', { method: 'GET' })).toMatchObject({ status: 404 })
  })
})

test('distinguishes kinds of bad bodies', async () => {
  await withCheck(compiles, async (ask) => {
    for (const bad of ['', '{', '[]', '{"source": 1}']) expect(await ask(bad)).toMatchObject({ status: 400 })
    expect(await ask('x'.repeat(8 * 1024 * 1024 + 1))).toMatchObject({ status: 413 })
  })
})

test('runs at most four checks at once and logs one that fails', async () => {
  let release: (result: CompileResult) => void = () => {}
  const waiting = new Promise<CompileResult>((resolve) => (release = resolve))
  await withCheck(
    () => waiting,
    async (ask) => {
      const five = Array.from({ length: 5 }, () => ask(body))
      expect(await Promise.race(five)).toMatchObject({ status: 503 })
      release({ detail: 'x' })
      expect((await Promise.all(five)).filter(({ status }) => status === 200)).toHaveLength(4)
    },
  )
  const lines = await withCheck(
    async () => {
      throw new Error('no room')
    },
    async (ask) => {
      expect(await ask(body)).toEqual({ status: 500, value: { detail: 'The check failed.' } })
    },
  )
  expect(lines).toMatchObject([{ level: 'error', fields: { reason: 'no room' } }])
})
