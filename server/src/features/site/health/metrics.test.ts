import { request } from 'node:http'
import sql, { raw } from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import { startContest, type Contest } from '../../../../test/harness.ts'

const FORWARDING = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'cf-connecting-ip',
  'via',
]

/** Requests the metrics from an address of this machine, with headers that fetch cannot send. */
function read(
  { url }: Contest,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/metrics`, { headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asked.on('error', reject).end()
  })
}

test('without a token only this machine may read metrics, and not through a proxy', async () => {
  await using contest = await startContest()
  expect(await read(contest)).toMatchObject({
    status: 200,
    text: expect.stringContaining('pennant_world_teams'),
  })
  for (const header of FORWARDING) {
    const { status, text } = await read(contest, { [header]: '127.0.0.1' })
    expect([header, status, text]).toEqual([header, 403, 'forbidden: set metrics.token to read this'])
  }
})

test.each(['ctf.example', 'CTF.example:443', 'ctf.example:3000'])(
  'without a token the public host name %s is refused, because a proxy may pass it on',
  async (host) => {
    await using contest = await startContest()
    expect((await read(contest, { host })).status).toBe(403)
    expect((await read(contest, { host: 'metrics.internal:3000' })).status).toBe(200)
  },
)

test('a trusted proxy does not make the metrics public', async () => {
  await using contest = await startContest({ config: { proxy: { trust: true } } })
  expect((await read(contest, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(403)
})

test('with a token any caller that has it may read metrics, also through a proxy', async () => {
  await using contest = await startContest({ config: { metrics: { token: 'secret' } } })
  expect((await read(contest)).status).toBe(401)
  expect((await read(contest, { authorization: 'Bearer wrong' })).status).toBe(401)
  const headers = { authorization: 'Bearer secret', 'x-forwarded-for': '203.0.113.7', host: 'ctf.example' }
  expect((await read(contest, headers)).status).toBe(200)
})

test('reading the metrics runs no query, so it works while every table is locked', async () => {
  await using contest = await startContest({
    config: {
      adminBot: {
        provider: {
          name: 'admin-bots/browser',
          options: { endpoint: 'https://bot.example', secretKey: 'k'.repeat(32) },
        },
      },
    },
  })
  await vi.waitUntil(async () => (await read(contest)).text.includes('pennant_outbox_pending 0'), {
    timeout: 30_000,
    interval: 20,
  })
  const readWhileLocked = () =>
    contest.db.transaction(async (tx) => {
      const tables = await tx.query<{ name: string }>(sql`
        select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`)
      // `nowait`, because a background job that locks the tables in another order would cause a deadlock.
      await tx.query(sql`lock table ${raw(tables.map(({ name }) => name).join(', '))} nowait`)
      return await read(contest)
    })
  const { status, text } = await vi.waitFor(readWhileLocked, { timeout: 30_000, interval: 20 })
  expect(status).toBe(200)
  expect(text).toContain('pennant_outbox_pending 0')
  expect(text).toContain('pennant_adminbot_queue_depth 0')
})

test('health checks have short aliases', async () => {
  await using contest = await startContest()
  for (const path of ['/api/healthz', '/healthz', '/api/readyz', '/readyz']) {
    const response = await fetch(contest.url + path)
    expect([path, response.status, await response.text()]).toEqual([path, 200, 'ok'])
  }
})
