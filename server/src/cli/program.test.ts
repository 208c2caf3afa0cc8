import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { findFreePort, runProgram, startProgram, type Env } from '../../test/program.ts'

// Each of these starts processes, and some of them a database of their own.
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

async function statusOf(url: string, authToken: string): Promise<number> {
  const response = await fetch(`${url}/api/v2/users/me`, {
    headers: { authorization: `Bearer ${authToken}` },
  })
  return response.status
}

describe('a server with nothing configured', () => {
  test('knows the admin that was made before it, and keeps everything over a second start', async () => {
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

  test('prints a link for the first admin, and one that is made beside it is known at once', async () => {
    const { env, url } = await environment()
    await using server = startProgram(['serve'], env)
    const line = await server.line(/verify\?token=/)
    const token = new URL(line.slice(line.indexOf('http'))).searchParams.get('token')
    const verified = await fetch(`${url}/api/v2/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ verifyToken: token }),
    })
    expect(await verified.json()).toMatchObject({ kind: 'goodRegisterV2' })

    const made = await runProgram(create, env)
    expect(await statusOf(url, JSON.parse(made.output).authToken)).toBe(200)
    server.child.kill('SIGINT')
    expect((await server.ended).status).toBe(0)
  })
})

test('the link of the first admin is printed and works while Redis is away', async () => {
  await using database = await openTestDatabase()
  const redisUrl = `redis://127.0.0.1:${await findFreePort()}`
  const { env, url } = await environment({ DATABASE_URL: database.url, REDIS_URL: redisUrl })
  await using server = startProgram(['serve'], env)
  const line = await server.line(/verify\?token=/)
  const token = new URL(line.slice(line.indexOf('http'))).searchParams.get('token')
  const verify = async () => {
    const response = await fetch(`${url}/api/v2/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ verifyToken: token }),
    })
    return (await response.json()) as { kind: string }
  }
  expect(await verify()).toMatchObject({ kind: 'goodRegisterV2' })
  // Redis might know it, and cannot be asked.
  expect(await verify()).toMatchObject({ kind: 'errorUnavailable' })
})

describe('a stop', () => {
  test('while the database is made ends the start, and the next one is whole', async () => {
    const { env } = await environment()
    {
      await using server = startProgram(['serve'], env)
      await server.line(/making the database/)
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

  test('while the database does not answer ends the start', async () => {
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

  test('cuts no request of clients that keep their connections busy', async () => {
    await using database = await openTestDatabase()
    const { env, url } = await environment({ DATABASE_URL: database.url })
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)

    let answered = 0
    const failures: string[] = []
    const client = async () => {
      // Ends when the server takes no more connections.
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

describe('a start that cannot work ends with one line and status 1', () => {
  test('when the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { env } = await environment({ PORT: String(port) })
    const ended = await runProgram(['serve'], env)
    taken.close()
    // Before a database was made.
    expect(await readdir(join(folder, 'data'))).not.toContain('postgres')
    expect(ended).toMatchObject({
      status: 1,
      complaints: `Port ${port} is in use by another program; set PORT to a free one.\n`,
    })
  })

  test('when the configuration has mistakes, which are told together', async () => {
    await writeFile(join(folder, 'pennant.yaml'), 'ctfnam: x\nleaderboard:\n  maxLimit: many\n')
    const { env } = await environment({ PENNANT_TOKEN_KEY: 'short' })
    const ended = await runProgram(['serve'], env, folder)
    expect(ended.status).toBe(1)
    expect(ended.complaints.split('\n')).toEqual([
      'tokenKey: must be base64 of 32 bytes; `pennant token-key` prints a new one (PENNANT_TOKEN_KEY)',
      './pennant.yaml: leaderboard.maxLimit: must be a number',
      './pennant.yaml: ctfnam: unknown key; did you mean ctfName?',
      '',
    ])
  })

  test('when the configuration is not there or cannot be read', async () => {
    const { env } = await environment({ PENNANT_CONFIG: join(folder, 'none.yaml') })
    expect((await runProgram(['serve'], env)).complaints).toMatch(/^PENNANT_CONFIG names .* not there\n$/)
    await writeFile(join(folder, 'bad.yaml'), 'a: [')
    const bad = await runProgram(['config', 'check'], { ...env, PENNANT_CONFIG: join(folder, 'bad.yaml') })
    expect(bad.status).toBe(1)
    expect(bad.complaints).toMatch(/^.*bad\.yaml: .+\n$/)
  })

  test('when the database is used with another token key, until that is accepted', async () => {
    await using database = await openTestDatabase()
    const { env } = await environment({ DATABASE_URL: database.url })
    await runProgram(create, env)
    const other = { ...env, PENNANT_DATA_DIR: join(folder, 'other') }
    const refused = await runProgram(['serve'], other)
    expect(refused.status).toBe(1)
    expect(refused.complaints).toMatch(/^tokenKey is not the one .*token-key --accept.*\n$/)

    expect((await runProgram(['token-key', '--accept'], other)).status).toBe(0)
    await using server = startProgram(['serve'], other)
    await server.line(/ready at/)
    expect((await runProgram(['admin', 'list'], env)).output).toContain('boss@pennant.invalid')
    expect((await runProgram(create, env)).status).toBe(1)
  })

  test('when the database is not there', async () => {
    await using database = await openTestDatabase()
    const missing = new URL(database.url)
    missing.pathname = '/none'
    const { env } = await environment({ DATABASE_URL: missing.href })
    const { status, complaints } = await runProgram(['migrate'], env)
    expect({ status, lines: complaints.trim().split('\n').length }).toEqual({ status: 1, lines: 1 })
  })

  test('when nothing answers where the database should be', async () => {
    const { env } = await environment({ DATABASE_URL: `postgres://127.0.0.1:${await findFreePort()}/none` })
    const { status, output, complaints } = await runProgram(['serve'], env)
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(complaints).toMatch(/^cannot reach the database: .*ECONNREFUSED.*\n$/)
  })

  test('when the data folder cannot be made', async () => {
    const { env } = await environment({ PENNANT_DATA_DIR: '/proc/pennant/data' })
    const { status, complaints } = await runProgram(['serve'], env)
    expect(status).toBe(1)
    expect(complaints).toMatch(/^\/proc\/pennant.*PENNANT_DATA_DIR.*\n$/)
  })
})

test('a wrong command line has status 2', async () => {
  const { env } = await environment()
  expect((await runProgram(['serv'], env)).status).toBe(2)
  expect((await runProgram(['admin', 'create', '--name', 'x'], env)).status).toBe(2)
  expect((await runProgram([...create, '--perms', '64'], env)).status).toBe(2)
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
