import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findFreePort } from '../lib/free-port.ts'
import { openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { addressOf, throughNetwork } from '../../test/network.ts'
import { startProgram } from '../../test/program.ts'

// Each test starts processes and a database of its own.
vi.setConfig({ testTimeout: 60_000 })

/** A server whose database is not there yet. */
async function start(args: readonly string[] = []) {
  const folder = await temporaryFolder()
  const database = await openTestDatabase()
  const [port, databasePort] = [await findFreePort(), await findFreePort()]
  const program = startProgram(['serve', ...args], {
    PENNANT_DATA_DIR: join(folder.path, 'data'),
    HOST: '127.0.0.1',
    PORT: String(port),
    PENNANT_LOG_LEVEL: 'debug',
    DATABASE_URL: throughNetwork(database.url, { port: databasePort }),
  })
  const proxy = createServer((outer) => {
    const inner = connect(addressOf(database.url))
    for (const socket of [outer, inner]) socket.on('error', () => {})
    outer.pipe(inner).pipe(outer)
    outer.once('close', () => inner.destroy())
  })
  return {
    program,
    ask: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    async startDatabase() {
      proxy.listen(databasePort, '127.0.0.1')
      await once(proxy, 'listening')
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      proxy.close()
      await database[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test.each([{ args: [] }, { args: ['--processes', '2'] }])(
  'a server waits for its database, alive and not ready: $args',
  async ({ args }) => {
    await using started = await start(args)
    const { program, ask, startDatabase } = started
    expect(await program.line(/cannot start yet/)).toMatch(/reason=cannot reach the database: ECONNREFUSED/)
    // The line is written before the port is open.
    await vi.waitFor(async () => expect((await ask('/healthz')).status).toBe(200), 10_000)
    expect((await ask('/api/healthz')).status).toBe(200)
    for (const path of ['/readyz', '/api/readyz', '/', '/api/v2/challs'])
      expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 503 })
    const refused = await ask('/api/v2/challs')
    expect([refused.headers.get('retry-after'), await refused.json()]).toEqual([
      '5',
      expect.objectContaining({ kind: 'errorUnavailable' }),
    ])
    const id = refused.headers.get('x-request-id') ?? ''
    expect(id).toMatch(/^[\w-]{12}$/)
    expect(await program.line(new RegExp(id))).toMatch(/refused: waiting for the database/)

    await startDatabase()
    await program.line(/the database responds/)
    await program.line(/ready at/)
    expect((await ask('/readyz')).status).toBe(200)
    expect((await ask('/api/openapi.json')).status).toBe(200)
    program.child.kill('SIGTERM')
    expect((await program.ended).status).toBe(0)
  },
)

test('a signal ends a server that waits for its database', async () => {
  await using started = await start()
  await started.program.line(/cannot start yet/)
  started.program.child.kill('SIGTERM')
  expect(await started.program.ended).toMatchObject({ status: 0, complaints: '' })
})
