import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { temporaryFolder } from '../folder.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { exchange } from '../raw-exchange.ts'

// What is on the wire besides the data: codings, tags, connections, counts.

const SCRIPT = 'export const text = "x"\n'.repeat(200)
/** Of `challengeRow`. */
const FLAG = 'flag{x}'

let contest: Contest
let team: Member
let site: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  site = await temporaryFolder()
  await mkdir(`${site.path}/assets`)
  await mkdir(`${site.path}/help`)
  await writeFile(`${site.path}/index.html`, '<!doctype html><title>Index</title>')
  await writeFile(`${site.path}/help/index.html`, '<!doctype html><title>Help</title>')
  await writeFile(`${site.path}/assets/app-1.js`, SCRIPT)
  await writeFile(`${site.path}/assets/app-1.js.br`, brotliCompressSync(SCRIPT))
  contest = await startContest({ siteDirectory: site.path })
  await putChallenge(contest.db, challengeRow('one', { description: 'x'.repeat(2000) }))
  team = await contest.team('wire')
  await contest.app.stores.follower.catchUp()
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const SUBMIT = '/api/v1/challs/one/submit'

function post(path: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}) {
  return exchange(contest.url + path, {
    method: 'POST',
    body,
    headers: { 'content-length': Buffer.byteLength(body), ...headers },
  })
}

const bearer = ({ token }: Pick<Member, 'token'>) => ({ authorization: `Bearer ${token}` })

const flag = (text: string) => JSON.stringify({ flag: text })

test('a right flag counts once, whether its body announces its length or not', async () => {
  const player = await contest.team()
  const lengths = [undefined, 'chunked', undefined, 'chunked']
  const sent = lengths.map((encoding) => {
    const headers = { ...bearer(player), ...(encoding && { 'transfer-encoding': encoding }) }
    return exchange(contest.url + SUBMIT, { method: 'POST', body: flag(FLAG), headers })
  })
  const kinds = (await Promise.all(sent)).map(({ body }) => (JSON.parse(body) as { kind: string }).kind)
  expect(kinds.toSorted()).toEqual([...Array<string>(3).fill('badAlreadySolvedChallenge'), 'goodFlag'])
})

test('a connection stays open after a request that was refused before its body was read', async () => {
  const refused = await post(SUBMIT, flag('x'), { authorization: 'Bearer x', connection: 'keep-alive' })
  expect([refused.status, refused.headers.connection]).toEqual([401, 'keep-alive'])
})

test('a request whose body never arrives has its response, and loses its connection', async () => {
  const { port, hostname } = new URL(contest.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${SUBMIT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-length: 100\r\n\r\n{"flag"`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^HTTP\/1\.1 401 /)
  expect(first.toString().toLowerCase()).toContain('connection: close')
  socket.write('x'.repeat(93))
  await once(socket, 'close')
})

test.each([
  ['/', 'Index'],
  ['/help/', 'Help'],
  ['/help', 'Help'],
  ['/assets/app-1.js', SCRIPT],
])('a file of the site has a tag for each coding: %s', async (path, content) => {
  for (const coding of ['identity', 'gzip', 'br', 'gzip;q=0, br']) {
    const headers = { 'accept-encoding': coding }
    const first = await exchange(contest.url + path, { headers })
    expect(first.status).toBe(200)
    expect(first.headers['strict-transport-security']).toBeDefined()
    if (coding === 'identity') expect(first.body).toContain(content)
    const again = { headers: { ...headers, 'if-none-match': first.headers.etag ?? '' } }
    const known = await exchange(contest.url + path, again)
    expect([known.status, known.body, known.headers.etag]).toEqual([304, '', first.headers.etag])
  }
})

test('an uploaded file has the same response from the disk and from memory', async () => {
  const digest = createHash('sha256').update(SCRIPT).digest('hex')
  const name = 'ünïcode script.js'
  await contest.app.providers.uploads.store(`${digest}/${name}`, Buffer.from(SCRIPT))
  const url = `${contest.url}/uploads/${digest}/${encodeURIComponent(name)}`
  const { headers: ofDisk, ...fromDisk } = await exchange(url)
  const { headers, ...fromMemory } = await exchange(url)
  expect(fromMemory).toEqual(fromDisk)
  expect({ ...headers, date: '' }).toEqual({ ...ofDisk, date: '' })
  expect(fromMemory.body).toBe(SCRIPT)
  const known = await exchange(url, { headers: { 'if-none-match': headers.etag ?? '' } })
  expect([known.status, known.body, known.headers.etag]).toEqual([304, '', headers.etag])
  const part = await exchange(url, { headers: { range: 'bytes=1-3' } })
  expect([part.status, part.body]).toEqual([206, SCRIPT.slice(1, 4)])
  expect((await exchange(`${url}x`)).status).toBe(404)
})

test('compressed copies of the build are sent as they are', async () => {
  const headers = { 'accept-encoding': 'br' }
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const { body } = await exchange(`${contest.url}/assets/app-1.js`, { headers })
  expect(sum(Buffer.from(body, 'latin1'))).toBe(sum(brotliCompressSync(SCRIPT)))
})

test('the metrics count responses by route, method and status', async () => {
  const count = async (route: string, method: string, status: number) => {
    const { body } = await exchange(`${contest.url}/metrics`)
    const start = `http_requests_total{route="${route}",method="${method}",status="${status}"}`
    const line = body.split('\n').find((each) => each.startsWith(start))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const route = '/api/v1/challs/:id/submit'
  const wanted = [
    [route, 'POST', 401],
    ['/*', 'GET', 200],
    ['/*', 'HEAD', 200],
    ['unknown', 'GET', 404],
  ] as const
  const counts = () => Promise.all(wanted.map(([path, method, status]) => count(path, method, status)))
  const before = await counts()
  await post(SUBMIT, flag('x'))
  await exchange(`${contest.url}/assets/app-1.js`)
  await exchange(`${contest.url}/assets/app-1.js`, { method: 'HEAD' })
  await exchange(`${contest.url}/assets/none.js`)
  await expect.poll(counts).toEqual(before.map((each) => each + 1))
})

const get = (path: string, headers: OutgoingHttpHeaders) => exchange(contest.url + path, { headers })

test.each([
  '/api/v2/challs',
  '/api/v2/users/me',
  '/api/v2/leaderboard/now?limit=100&offset=0',
  '/api/v2/integrations/client/config',
])('%s is compressed, and not sent again to who has it', async (path) => {
  const authorization = `Bearer ${team.token}`
  for (const coding of ['gzip', 'br', 'gzip;q=0, br', 'identity']) {
    const got = await get(path, { authorization, 'accept-encoding': coding })
    expect(got.status).toBe(200)
    const etag = got.headers.etag
    if (etag === undefined) continue
    const again = await get(path, {
      authorization,
      'accept-encoding': coding,
      'if-none-match': `"other", W/${etag}`,
    })
    expect(again.status).toBe(304)
    expect(again.body).toBe('')
  }
})

test('profiles that are read at the same time keep their own bytes', async () => {
  const teams = await Promise.all(
    Array.from({ length: 8 }, (_, n) => contest.team(`profile ${n} ${'x'.repeat(n)}`)),
  )
  const reads = Array.from({ length: 200 }, async (_, n) => {
    const { id, token } = teams[n % teams.length] ?? team
    const { body } = await get('/api/v2/users/me', { authorization: `Bearer ${token}` })
    const { data } = JSON.parse(body) as { data: { id: string; teamToken: string } }
    return { isOwn: data.id === id, token: data.teamToken }
  })
  const found = await Promise.all(reads)
  expect(found.filter(({ isOwn }) => !isOwn)).toEqual([])
  expect(new Set(found.map(({ token }) => token)).size).toBe(found.length)
})
