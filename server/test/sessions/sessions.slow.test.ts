import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { findFreePort } from '../../src/lib/free-port.ts'
import { createDisposal } from '../../src/lib/disposal.ts'
import { openTestDatabase } from '../database.ts'
import { startSourceChecker } from '../fake-worker.ts'
import { temporaryFolder } from '../folder.ts'
import { runProgram, startProgram } from '../program.ts'
import { differences, readSession, replay, type Values } from './session.ts'

// docs/operate/tools.md

const secret = 'secret-of-the-worker'
const disposal = createDisposal()
let url = ''
let organiser: Values = {}

beforeAll(async () => {
  const database = await openTestDatabase()
  disposal.defer(() => database[Symbol.asyncDispose]())
  const folder = await temporaryFolder()
  disposal.defer(() => folder[Symbol.asyncDispose]())
  const checker = await startSourceChecker(secret)
  disposal.defer(() => checker[Symbol.asyncDispose]())
  const provider = { name: 'admin-bots/browser', options: { endpoint: checker.url, secretKey: secret } }
  const port = await findFreePort()
  const env = {
    DATABASE_URL: database.url,
    PENNANT_DATA_DIR: folder.path,
    HOST: '127.0.0.1',
    PORT: String(port),
    PENNANT_START_TIME: String(Date.now() - HOUR_MS),
    PENNANT_ADMIN_BOT: JSON.stringify({ provider }),
    PENNANT_INSTANCERS: JSON.stringify({ memory: { name: 'instancers/memory' } }),
  }
  const admin = ['admin', 'create', '--name', 'Organiser', '--email', 'organiser@ctf.example', '--json']
  const made = await runProgram(admin, env)
  const { authToken, teamToken } = JSON.parse(made.output) as Record<'authToken' | 'teamToken', string>
  organiser = { 'organiser.token': authToken, 'organiser.teamToken': teamToken, 'worker.secret': secret }
  const program = startProgram(['serve'], env)
  disposal.defer(() => program[Symbol.asyncDispose]())
  await program.line(/ready at/)
  url = `http://127.0.0.1:${port}`
})
afterAll(() => disposal[Symbol.asyncDispose]())

/** Registers a team, whose values are named after its role in the session. */
async function register(role: string, name: string): Promise<Values> {
  const post = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, init)
    return ((await response.json()) as { data: Record<string, string> }).data
  }
  const registered = await post('/api/v1/auth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@players.example` }),
  })
  const token = registered['authToken'] ?? ''
  const { id = '' } = await post('/api/v1/users/me', { headers: { authorization: `Bearer ${token}` } })
  return { [`${role}.token`]: token, [`${role}.id`]: id, [`${role}.name`]: name }
}

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'))

test.each(files)('%s', async (file) => {
  const session = await readSession(join(import.meta.dirname, file))
  const name = file.replace('.yaml', '')
  const [player, other] = [await register('player', name), await register('other', `${name}-other`)]
  const values = { ...organiser, ...player, ...other }
  expect(await replay(session, url, values)).toEqual([])
})

test('a response that a tool could not read is a difference', () => {
  const response = { kind: 'goodLogin', data: { id: 'x', list: [{ id: 1 }, { id: 2, name: 'two' }] } }
  const compare = (reads: unknown) => differences(reads, response, '')
  expect(
    compare({ kind: 'goodLogin', data: { id: '$text', list: { $some: { id: 2 } }, more: '$absent' } }),
  ).toEqual([])
  expect(compare({ kind: 'goodLoginV2' })).toHaveLength(1)
  expect(compare({ data: { token: '$text' } })).toHaveLength(1)
  expect(compare({ data: { id: '$absent' } })).toHaveLength(1)
  expect(compare({ data: { list: { $all: [{ id: 1 }, { id: 3 }] } } })).toHaveLength(1)
  expect(compare({ data: { list: [{ id: 1 }] } })).toHaveLength(1)
  expect(compare({ data: { list: { $some: { id: 2, name: null } } } })).toHaveLength(1)
})
