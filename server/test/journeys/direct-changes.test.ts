import { once } from 'node:events'
import { connect } from 'node:net'
import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { mkdir, writeFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { temporaryFolder } from '../folder.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { exchange, type RawResponse } from '../raw-exchange.ts'

// Small bodies of participants and files of the site are answered before Fastify, too
// (docs/decisions/0050-reads-before-the-framework.md). A body without an announced length takes the long way.

const SCRIPT = 'export const text = "x"\n'.repeat(200)
/** Of `challengeRow`. */
const FLAG = 'flag{x}'

let contest: Contest
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
  await putChallenge(contest.db, challengeRow('one'))
  await contest.app.stores.follower.catchUp()
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const SUBMIT = '/api/v1/challs/one/submit'
const LOGIN = '/api/v1/auth/login'

function post(path: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}) {
  return exchange(contest.url + path, {
    method: 'POST',
    body,
    headers: { 'content-length': Buffer.byteLength(body), ...headers },
  })
}

/** The long way. */
function postInChunks(path: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}) {
  return exchange(contest.url + path, {
    method: 'POST',
    body,
    headers: { 'transfer-encoding': 'chunked', ...headers },
  })
}

const bearer = ({ token }: Pick<Member, 'token'>) => ({ authorization: `Bearer ${token}` })

/** Without the time and what says whether the connection stays open. */
function comparable({ status, headers, body }: RawResponse) {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...others } = headers
  return { status, headers: others, body }
}

const flag = (text: string) => JSON.stringify({ flag: text })

interface Sent {
  readonly what: string
  readonly path?: string
  readonly body: string | Buffer
  readonly more?: OutgoingHttpHeaders
}

const requests: readonly Sent[] = [
  { what: 'a wrong flag', body: flag('wrong') },
  { what: 'an unknown challenge', path: SUBMIT.replace('one', 'none'), body: flag('x') },
  { what: 'an invalid token', body: flag('x'), more: { authorization: 'Bearer x' } },
  { what: 'a body that is not JSON', body: 'flag' },
  { what: 'a body that is not UTF-8', body: Buffer.from([0x22, 0xff, 0x22]) },
  { what: 'a body of another shape', body: '{"flag":1}' },
  { what: 'a flag that is too long', body: flag('x'.repeat(1025)) },
  { what: 'nested JSON', body: '['.repeat(100) },
  { what: 'a compressed body', body: flag('x'), more: { 'content-encoding': 'gzip' } },
  { what: 'a malformed content type', body: flag('y'), more: { 'content-type': ';;' } },
  { what: 'a body over the size limit', path: LOGIN, body: 'x'.repeat(17_000) },
  { what: 'a sign-in with a wrong token', path: LOGIN, body: '{"teamToken":"x"}' },
  { what: 'an empty parameter', path: SUBMIT.replace('one', ''), body: flag('x') },
  { what: 'an address with an escape', path: SUBMIT.replace('one', '%6fne'), body: flag('z') },
]

test.each(requests)('$what has the same response both ways', async ({ path = SUBMIT, body, more }) => {
  const team = await contest.team()
  const all = { ...bearer(team), ...more }
  const direct = await post(path, body, all)
  expect(comparable(direct)).toEqual(comparable(await postInChunks(path, body, all)))
  expect(direct.headers['strict-transport-security']).toBeDefined()
})

test('a right flag counts once, whichever way its copies take', async () => {
  const team = await contest.team()
  const sent = [post, postInChunks, post, postInChunks].map((send) => send(SUBMIT, flag(FLAG), bearer(team)))
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
])('a file of the site has the same response both ways: %s', async (path, content) => {
  for (const coding of ['identity', 'gzip', 'br', 'gzip;q=0, br']) {
    const headers = { 'accept-encoding': coding }
    const direct = await exchange(contest.url + path, { headers })
    // A request that announces an empty body takes the long way.
    const other = await exchange(contest.url + path, { headers: { ...headers, 'content-length': '0' } })
    expect(comparable(direct)).toEqual(comparable(other))
    if (coding === 'identity') expect(direct.body).toContain(content)
    const again = { headers: { ...headers, 'if-none-match': direct.headers.etag ?? '' } }
    const known = await exchange(contest.url + path, again)
    expect([known.status, known.body, known.headers.etag]).toEqual([304, '', direct.headers.etag])
  }
})

test('an uploaded file has the same response both ways', async () => {
  const digest = createHash('sha256').update(SCRIPT).digest('hex')
  const name = 'ünïcode script.js'
  await contest.app.providers.uploads.store(`${digest}/${name}`, Buffer.from(SCRIPT))
  const url = `${contest.url}/uploads/${digest}/${encodeURIComponent(name)}`
  // The first request takes the long way, because nothing is in memory.
  const other = await exchange(url)
  const direct = await exchange(url)
  expect(comparable(direct)).toEqual(comparable(other))
  expect(direct.body).toBe(SCRIPT)
  for (const more of [{}, { 'content-length': '0' }]) {
    const headers = { 'if-none-match': direct.headers.etag ?? '', ...more }
    const known = await exchange(url, { headers })
    expect([known.status, known.body, known.headers.etag]).toEqual([304, '', direct.headers.etag])
  }
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

test('the metrics count changes and files', async () => {
  const count = async (route: string, method: string, status: number) => {
    const { body } = await exchange(`${contest.url}/metrics`)
    const start = `http_requests_total{route="${route}",method="${method}",status="${status}"}`
    const line = body.split('\n').find((each) => each.startsWith(start))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const route = '/api/v1/challs/:id/submit'
  const before = [await count(route, 'POST', 401), await count('/*', 'GET', 200)]
  await post(SUBMIT, flag('x'))
  await exchange(`${contest.url}/assets/app-1.js`)
  await expect.poll(() => count(route, 'POST', 401)).toBe((before[0] ?? 0) + 1)
  await expect.poll(() => count('/*', 'GET', 200)).toBe((before[1] ?? 0) + 1)
})
