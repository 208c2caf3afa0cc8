import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '../lib/free-port.ts'
import { openTestDatabase } from '../../test/database.ts'
import { tokenIn } from '../../test/mail.ts'
import { runProgram, startProgram, type Env } from '../../test/program.ts'

// Each test starts processes, some with a database of their own.
vi.setConfig({ testTimeout: 60_000 })

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-cli-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const create = ['admin', 'create', '--name', 'Boss', '--email', 'boss@pennant.invalid', '--json']

async function environment(more: Env = {}): Promise<{ env: Env; url: string }> {
  const port = await findFreePort()
  const env = { PENNANT_DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: String(port), ...more }
  return { env, url: `http://127.0.0.1:${port}` }
}

/** The token of the link that a start without a terminal wrote to the data folder. */
async function firstAdminToken(): Promise<string> {
  return tokenIn(await readFile(join(folder, 'data', 'first-admin-link'), 'utf8'))
}

async function verify(url: string, verifyToken: string): Promise<{ kind: string }> {
  const response = await fetch(`${url}/api/v2/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ verifyToken }),
  })
  return (await response.json()) as { kind: string }
}

async function statusOf(url: string, authToken: string): Promise<number> {
  const response = await fetch(`${url}/api/v2/users/me`, {
    headers: { authorization: `Bearer ${authToken}` },
  })
  return response.status
}

describe('a server without configuration', () => {
  test('loads an admin that was created before it, and keeps everything after a restart', async () => {
    const { env, url } = await environment()
    const made = await runProgram(create, env)
    expect(made).toMatchObject({ status: 0, complaints: '' })
    const { authToken } = JSON.parse(made.output)

    for (const round of ['first', 'second']) {
      await using server = startProgram(['serve'], env)
      await server.line(/ready at/)
      expect(await statusOf(url, authToken), round).toBe(200)
      server.child.kill('SIGTERM')
      const { status, output, complaints } = await server.ended
      expect({ status, complaints }).toEqual({ status: 0, complaints: '' })
      expect(output).not.toContain('verify?token=')
    }
  })

  test.each(['development', 'production'])(
    'writes the link for the first admin to a file and not to its output, in %s',
    async (NODE_ENV) => {
      const { env, url } = await environment({ NODE_ENV })
      await using server = startProgram(['serve'], env)
      const path = join(folder, 'data', 'first-admin-link')
      expect(await server.line(/no admin yet/)).toContain(path)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await verify(url, await firstAdminToken())).toMatchObject({ kind: 'goodRegisterV2' })
      const shown = await fetch(`${url}/api/v2/integrations/client/config`)
      expect(await shown.json()).toMatchObject({ data: { scheduled: false } })
      const refused = await fetch(`${url}/api/v2/challs`)
      expect(await refused.json()).toMatchObject({ kind: 'badNotStarted' })

      // The server immediately sees a team that a command created.
      const made = await runProgram(create, env)
      expect(await statusOf(url, JSON.parse(made.output).authToken)).toBe(200)
      server.child.kill('SIGINT')
      const { status, output, complaints } = await server.ended
      expect(status).toBe(0)
      expect(output + complaints).not.toContain('token=')
    },
  )

  test('refuses the link for the first admin after `admin create` and a restart, and deletes the file', async () => {
    const { env, url } = await environment()
    let token = ''
    {
      await using server = startProgram(['serve'], env)
      await server.line(/no admin yet/)
      token = await firstAdminToken()
      await runProgram(create, env)
      expect(await verify(url, token)).toMatchObject({ kind: 'badTokenVerification' })
      server.child.kill('SIGINT')
      await server.ended
    }
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    expect(await verify(url, token)).toMatchObject({ kind: 'badTokenVerification' })
    server.child.kill('SIGINT')
    expect((await server.ended).output).not.toContain('no admin yet')
    expect(await readdir(join(folder, 'data'))).not.toContain('first-admin-link')
  })
})

describe('a change of permissions', () => {
  test('invalidates earlier tokens of the team in a running server, and prints a new one', async () => {
    await using database = await openTestDatabase()
    const { env, url } = await environment({ DATABASE_URL: database.url })
    const { authToken, teamToken } = JSON.parse(
      (await runProgram([...create, '--perms', 'challsRead'], env)).output,
    )
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    expect(await verify(url, teamToken)).toMatchObject({ kind: 'goodVerify' })

    const promoted = await runProgram(['admin', 'promote', 'boss@pennant.invalid', '--role', 'judge'], env)
    expect(promoted.output).toContain('challsRead, leaderboardRead, challsSolveWrite')
    expect(promoted).toMatchObject({ status: 0, complaints: '' })
    expect(await verify(url, teamToken)).toMatchObject({ kind: 'badTokenVerification' })
    expect(await statusOf(url, authToken)).toBe(401)
    const printed = tokenIn(promoted.output)
    expect(await verify(url, printed)).toMatchObject({ kind: 'goodVerify' })

    // Nothing changes: no token is invalidated or printed.
    const again = await runProgram(['admin', 'promote', 'boss@pennant.invalid', '--role', 'judge'], env)
    expect(again.output).not.toContain('token=')
    expect(await verify(url, printed)).toMatchObject({ kind: 'goodVerify' })

    const out = await runProgram(['admin', 'sign-out', 'boss@pennant.invalid'], env)
    expect(await verify(url, printed)).toMatchObject({ kind: 'badTokenVerification' })
    expect(await verify(url, tokenIn(out.output))).toMatchObject({ kind: 'goodVerify' })

    const demoted = await runProgram(['admin', 'demote', 'boss@pennant.invalid'], env)
    expect(demoted.output).not.toContain('token=')
    expect(await verify(url, tokenIn(out.output))).toMatchObject({ kind: 'badTokenVerification' })
  })
})

test('the link for the first admin is written and works while Redis is unreachable', async () => {
  await using database = await openTestDatabase()
  const redisUrl = `redis://127.0.0.1:${await findFreePort()}`
  const { env, url } = await environment({ DATABASE_URL: database.url, REDIS_URL: redisUrl })
  await using server = startProgram(['serve'], env)
  await server.line(/no admin yet/)
  const token = await firstAdminToken()
  expect(await verify(url, token)).toMatchObject({ kind: 'goodRegisterV2' })
  // Redis might know it, but is unavailable.
  expect(await verify(url, token)).toMatchObject({ kind: 'errorUnavailable' })
})

describe('a stop', () => {
  test('during the creation of the database ends the start, and the next start is complete', async () => {
    const { env } = await environment()
    {
      await using server = startProgram(['serve'], env)
      await server.line(/creating the database/)
      server.child.kill('SIGTERM')
      const { status, output, complaints } = await server.ended
      expect({ status, complaints }).toEqual({ status: 0, complaints: '' })
      expect(output).not.toMatch(/ready at/)
    }
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    server.child.kill('SIGTERM')
    expect((await server.ended).status).toBe(0)
  })

  test('while the database does not respond ends the start', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const { env } = await environment({ DATABASE_URL: `postgres://127.0.0.1:${port}/silent` })
    await using server = startProgram(['serve'], env)
    await once(silent, 'connection')
    server.child.kill('SIGTERM')
    const { status, complaints } = await server.ended
    silent.close()
    expect({ status, complaints }).toEqual({ status: 0, complaints: '' })
  })

  test('is announced on /readyz for a while, in which everything works', async () => {
    await using database = await openTestDatabase()
    const { env, url } = await environment({ DATABASE_URL: database.url, PENNANT_SHUTDOWN_DELAY: '5000' })
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    const askFor = async (path: string) => (await fetch(url + path)).status
    expect(await askFor('/readyz')).toBe(200)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toMatch(/^process_resident_memory_bytes \d/m)
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    server.child.kill('SIGTERM')
    await vi.waitFor(async () => expect(await askFor('/readyz')).toBe(503))
    expect(await askFor('/healthz')).toBe(200)
    const register = { method: 'POST', headers: { connection: 'close' }, body: '{}' }
    expect((await fetch(`${url}/api/v1/auth/register`, register)).status).toBe(400)
    expect(await askFor('/api/v2/integrations/client/config')).toBe(200)
    expect((await server.ended).status).toBe(0)
    await expect(askFor('/healthz')).rejects.toThrow('fetch failed')
  })

  test('does not interrupt requests of clients that keep their connections busy', async () => {
    await using database = await openTestDatabase()
    const { env, url } = await environment({ DATABASE_URL: database.url })
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)

    let answered = 0
    const failures: string[] = []
    const client = async () => {
      // Ends when the server accepts no more connections.
      for (;;) {
        try {
          const response = await fetch(`${url}/api/v2/integrations/client/config`)
          await response.text()
          if (response.status !== 200) failures.push(String(response.status))
          answered++
          if (answered === 400) server.child.kill('SIGTERM')
        } catch (error) {
          const { code } = (error as Error).cause as NodeJS.ErrnoException
          if (code !== 'ECONNREFUSED') failures.push(String(code))
          return
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, client))
    expect(failures).toEqual([])
    expect((await server.ended).status).toBe(0)
  })
})

describe('a start that fails prints one line and exits with status 1', () => {
  test('if the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { env } = await environment({ PORT: String(port) })
    const ended = await runProgram(['serve'], env)
    taken.close()
    // The failure occurs before a database is created.
    expect(await readdir(join(folder, 'data'))).not.toContain('postgres')
    expect(ended).toMatchObject({
      status: 1,
      complaints: `Port ${port} is in use by another program; set PORT to a free one.\n`,
    })
  })

  test('if the configuration has errors, which are reported together', async () => {
    await writeFile(join(folder, 'pennant.yaml'), 'ctfnam: x\nleaderboard:\n  maxLimit: many\n')
    const { env } = await environment({ PENNANT_TOKEN_KEY: 'short' })
    const ended = await runProgram(['serve'], env, folder)
    expect(ended.status).toBe(1)
    expect(ended.complaints.split('\n')).toEqual([
      'tokenKey: must be 32 bytes in base64; `pennant token-key` generates one (PENNANT_TOKEN_KEY)',
      './pennant.yaml:3: leaderboard.maxLimit: must be a number',
      './pennant.yaml:1: ctfnam: unknown key; did you mean ctfName?',
      '',
    ])
  })

  test('if the configuration is missing or unreadable', async () => {
    const { env } = await environment({ PENNANT_CONFIG: join(folder, 'none.yaml') })
    expect((await runProgram(['serve'], env)).complaints).toMatch(
      /^PENNANT_CONFIG is set to .* does not exist\n$/,
    )
    await writeFile(join(folder, 'bad.yaml'), 'a: [')
    const bad = await runProgram(['config', 'check'], { ...env, PENNANT_CONFIG: join(folder, 'bad.yaml') })
    expect(bad.status).toBe(1)
    expect(bad.complaints).toMatch(/^.*bad\.yaml: .+\n$/)
  })

  test('if the database was created with another token key, until the change is accepted', async () => {
    await using database = await openTestDatabase()
    const { env } = await environment({ DATABASE_URL: database.url })
    await runProgram(create, env)
    const other = { ...env, PENNANT_DATA_DIR: join(folder, 'other') }
    const refused = await runProgram(['serve'], other)
    expect(refused.status).toBe(1)
    expect(refused.complaints).toMatch(/^The token key differs .*token-key --accept.*\n$/)

    expect((await runProgram(['token-key', '--accept'], other)).status).toBe(0)
    await using server = startProgram(['serve'], other)
    await server.line(/ready at/)
    expect((await runProgram(['admin', 'list'], env)).output).toContain('boss@pennant.invalid')
    expect((await runProgram(create, env)).status).toBe(1)
  })

  test('if the database is unreachable', async () => {
    await using database = await openTestDatabase()
    const missing = new URL(database.url)
    missing.pathname = '/none'
    const { env } = await environment({ DATABASE_URL: missing.href })
    const { status, complaints } = await runProgram(['migrate'], env)
    expect({ status, lines: complaints.trim().split('\n').length }).toEqual({ status: 1, lines: 1 })
  })

  test('if the database address does not respond', async () => {
    const { env } = await environment({
      DATABASE_URL: `postgres://127.0.0.1:${await findFreePort()}/none`,
      PENNANT_DATABASE_START_TIMEOUT: '700',
    })
    const { status, output, complaints } = await runProgram(['serve'], env)
    expect(status).toBe(1)
    // The version of Node that runs the tests may be old.
    const own = output.replace(/^.* warn +Node \d+ has had no security updates .*\n/, '')
    expect(own).toMatch(/^.* warn +cannot start yet; retrying reason=cannot reach the database: .*\n$/)
    expect(complaints).toMatch(/^cannot reach the database: .*ECONNREFUSED.*\n$/)
  })

  test('if the data folder cannot be created', async () => {
    const { env } = await environment({ PENNANT_DATA_DIR: '/proc/pennant/data' })
    const { status, complaints } = await runProgram(['serve'], env)
    expect(status).toBe(1)
    expect(complaints).toMatch(/^\/proc\/pennant.*PENNANT_DATA_DIR.*\n$/)
  })
})

test('an invalid command line exits with status 2', async () => {
  const { env } = await environment()
  expect((await runProgram(['serv'], env)).status).toBe(2)
  expect((await runProgram(['admin', 'create', '--name', 'x'], env)).status).toBe(2)
  expect((await runProgram([...create, '--perms', '64'], env)).status).toBe(2)
  const misspelt = await runProgram([...create, '--perms', 'challsRead,challsWrit'], env)
  expect(misspelt).toMatchObject({
    status: 2,
    complaints: expect.stringContaining('no permission challsWrit;'),
  })
  expect((await runProgram([...create, '--role', 'king'], env)).status).toBe(2)
  expect((await runProgram([...create, '--role', 'judge', '--perms', '1'], env)).status).toBe(2)
  expect((await runProgram(['--help'], env)).status).toBe(0)
})

test('the printed configuration hides secrets', async () => {
  const { env } = await environment({
    DATABASE_URL: 'postgres://me:very-secret@db/x',
    PENNANT_METRICS_TOKEN: 'very-secret',
  })
  const { status, output } = await runProgram(['config', 'print'], env)
  expect(status).toBe(0)
  expect(output).toContain('url: postgres://(hidden)@db/x')
  expect(output).not.toContain('very-secret')
})
