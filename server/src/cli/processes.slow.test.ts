import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '../lib/free-port.ts'
import { eventually } from '../../test/eventually.ts'
import { runProgram, startProgram, type Env } from '../../test/program.ts'

let folder = ''
let env: Env = {}
let url = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-processes-'))
  const port = await findFreePort()
  env = { PENNANT_DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: String(port) }
  url = `http://127.0.0.1:${port}`
})
afterEach(() => rm(folder, { recursive: true }))

/** Process ids of the servers, without the supervisor and the database. */
function serversOf(supervisor: number): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(supervisor)], { encoding: 'utf8' })
  return lines
    .split('\n')
    .filter((line) => / serve /.test(line))
    .map((line) => Number.parseInt(line, 10))
}

/** On a connection of its own: the supervisor distributes connections, not requests. */
function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}${path}`, { ...init, headers: { ...init.headers, connection: 'close' } })
}

async function requestsByProcess(): Promise<Map<string, number>> {
  const text = await (await request('/metrics')).text()
  const counts = new Map<string, number>()
  for (const [, labels = '', count] of text.matchAll(/^http_requests_total\{(.*)\} (\d+)$/gm)) {
    const process = /process="(\d+)"/.exec(labels)?.[1] ?? ''
    counts.set(process, (counts.get(process) ?? 0) + Number(count))
  }
  return counts
}

/** The greeting comes from the first one; the other may still be loading. */
async function untilBothAnswer(): Promise<void> {
  await eventually(async () => {
    await request('/api/v2/challs')
    expect([...(await requestsByProcess()).keys()]).toEqual(['1', '2'])
  })
}

async function changeName(authToken: string, ctfName: string): Promise<number> {
  const { status } = await request('/api/v2/admin/settings', {
    method: 'PUT',
    headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { ctfName } }),
  })
  return status
}

async function nameSeen(): Promise<string> {
  const { data } = (await (await request('/api/v2/integrations/client/config')).json()) as {
    data: { ctfName: string }
  }
  return data.ctfName
}

test('processes share the port, merge their metrics, see changes of the others and end together', async () => {
  const made = await runProgram(
    ['admin', 'create', '--name', 'Boss', '--email', 'boss@pennant.invalid', '--json'],
    env,
  )
  const { authToken } = JSON.parse(made.output) as { authToken: string }
  await using server = startProgram(['serve', '--processes', '2'], env)
  await server.line(/ready at/)
  await eventually(() => expect(serversOf(server.child.pid ?? 0)).toHaveLength(2))

  await untilBothAnswer()
  for (const name of ['One', 'Two', 'Three']) {
    expect(await changeName(authToken, name)).toBe(200)
    await eventually(async () =>
      expect(await Promise.all(Array.from({ length: 4 }, nameSeen))).toEqual(Array(4).fill(name)),
    )
  }

  server.child.kill('SIGTERM')
  const { status, complaints, output } = await server.ended
  expect({ status, complaints }).toEqual({ status: 0, complaints: '' })
  expect(output.match(/ready at/g)).toHaveLength(1)
  await expect(request('/healthz')).rejects.toThrow()
})

test('a process that dies is replaced while the others answer', async () => {
  await using server = startProgram(['serve', '--processes', '2'], env)
  await server.line(/ready at/)
  const supervisor = server.child.pid ?? 0
  await untilBothAnswer()
  const [killed = 0, other] = serversOf(supervisor)
  process.kill(killed, 'SIGKILL')
  expect(await server.line(/a process ended/)).toMatch(/SIGKILL/)
  expect((await request('/healthz')).status).toBe(200)
  await eventually(() => {
    const now = serversOf(supervisor)
    expect(now).toHaveLength(2)
    expect(now).toContain(other)
    expect(now).not.toContain(killed)
  })
  server.child.kill('SIGINT')
  expect((await server.ended).status).toBe(0)
})

test('a connection that a process had not confirmed ends with the process', async () => {
  await using server = startProgram(['serve', '--processes', '2'], env)
  await server.line(/ready at/)
  await untilBothAnswer()
  const [stopped = 0] = serversOf(server.child.pid ?? 0)
  process.kill(stopped, 'SIGSTOP')
  // The stopped process gets one of them, and no more before it confirms that one.
  const settled = Array.from({ length: 4 }, () =>
    request('/healthz').then(
      ({ status }) => String(status),
      () => 'ended',
    ),
  )
  expect(await Promise.race(settled)).toBe('200')
  process.kill(stopped, 'SIGKILL')
  expect((await Promise.all(settled)).toSorted()).toEqual(['200', '200', '200', 'ended'])
  server.child.kill('SIGINT')
  expect((await server.ended).status).toBe(0)
})

test('nothing survives the supervisor', async () => {
  await using server = startProgram(['serve', '--processes', '2'], env)
  await server.line(/ready at/)
  const servers = serversOf(server.child.pid ?? 0)
  server.child.kill('SIGKILL')
  await server.ended
  await eventually(() => {
    for (const each of servers) expect(() => process.kill(each, 0)).toThrow()
  })
  // The database survives and belongs to the next start, as after any crash.
  await using next = startProgram(['serve'], env)
  await next.line(/ready at/)
  next.child.kill('SIGTERM')
  expect((await next.ended).status).toBe(0)
})

test('refuses a number of processes that makes no sense', async () => {
  for (const count of ['0', 'two', '65'])
    expect(await runProgram(['serve', '--processes', count], env)).toMatchObject({ status: 2 })
})
