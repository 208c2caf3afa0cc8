import { createHash } from 'node:crypto'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { findFreePort } from '../../src/lib/free-port.ts'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { eventually } from '../eventually.ts'
import { startContest, type Contest } from '../harness.ts'
import { isInstalled, openStreamAt, player, PROXIES, send, startProxy, type ProxyName } from './proxies.ts'

const CLAIMS = ['198.51.100.1', '127.0.0.1', '198.51.100.1, 127.0.0.1', '::1', 'unknown', '<b>', ',,,']
const MEBIBYTE = 1024 * 1024

/** Submits once per forged address and returns the addresses in the audit log. */
async function auditedAddresses(contest: Contest, url: string): Promise<string[]> {
  await putChallenge(contest.db, challengeRow('audited'))
  for (const claim of CLAIMS) {
    const { token } = await contest.team()
    const names = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']
    const headers = { ...Object.fromEntries(names.map((name) => [name, claim])), forwarded: `for=${claim}` }
    const path = submitFlag.path.replace(':id', 'audited')
    const { status } = await send(`${url}${path}`, { token, headers, body: { flag: 'wrong' } })
    expect(status).not.toBe(200)
  }
  const rows = await contest.db.query<{ ip: string }>(sql`select ip from submissions`)
  return rows.map(({ ip }) => ip)
}

/** An upload of one file, as a browser sends it. */
function uploadOf(file: Buffer) {
  const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="large.bin"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--b--\r\n')])
  const length = String(body.byteLength)
  return { headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': length }, body }
}

/** Sends reads until stopped; returns how many, and what failed. */
function keepSending(url: string) {
  const failures: string[] = []
  let [sent, isStopped] = [0, false]
  const client = async () => {
    // Ends when the caller stops it.
    for (; !isStopped; sent += 1) {
      const path = '/api/v2/integrations/client/config'
      const result = await send(`${url}${path}`).then(({ status }) => status, String)
      if (typeof result === 'string' || result >= 500) failures.push(`${path}: ${result}`)
    }
  }
  const clients = Promise.all([client(), client(), client()])
  return {
    /** Waits until some more were sent. */
    async more() {
      const before = sent
      await eventually(() => expect(sent).toBeGreaterThan(before + 20))
    },
    async stop() {
      isStopped = true
      await clients
      return failures
    },
  }
}

/** Requests that a replica has answered. */
async function answeredBy(replica: Contest): Promise<number> {
  const text = await (await fetch(`${replica.url}/metrics`)).text()
  const lines = text.matchAll(/^http_requests_total\{route="\/api\/v2\/(?:auth|integ)[^}]*\} (\d+)/gm)
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Sends a read and a write every 50 ms until stopped. */
function sendSteadily(url: string) {
  const results: Promise<string | null>[] = []
  const sendOne = async (path: string, body?: object) => {
    const result = await send(`${url}${path}`, body && { body }).then(({ status }) => status, String)
    return typeof result === 'number' && result < 500 ? null : `${body ? 'POST' : 'GET'} ${result}`
  }
  const timer = setInterval(() => {
    results.push(sendOne('/api/v2/integrations/client/config'))
    results.push(sendOne('/api/v1/auth/login', { teamToken: 'none' }))
  }, 50)
  return {
    /** Waits until some more were sent. */
    async more() {
      const before = results.length
      await eventually(() => expect(results.length).toBeGreaterThan(before + 40))
    },
    async stop() {
      clearInterval(timer)
      return (await Promise.all(results)).filter((each) => each !== null)
    },
  }
}

/** docs/operate/proxies.md#restarts */
const WAITS = { nginx: false, caddy: true, haproxy: true } as const satisfies Record<ProxyName, boolean>

const names = Object.keys(PROXIES) as ProxyName[]

describe.each(names)('behind %s as documented', (name) => {
  test.skipIf(!isInstalled(name))(
    'clients have their own address, regardless of forged headers',
    async () => {
      await using contest = await startContest()
      await using proxy = await startProxy(name, [contest.url])
      expect(await auditedAddresses(contest, proxy.url)).toEqual(CLAIMS.map(() => player))
    },
  )

  test.skipIf(!isInstalled(name))(
    "with Cloudflare's header, a client that bypasses Cloudflare has its own address",
    async () => {
      await using contest = await startContest({ config: { proxy: { cloudflare: true } } })
      await using proxy = await startProxy(name, [contest.url])
      expect(await auditedAddresses(contest, proxy.url)).toEqual(CLAIMS.map(() => player))
    },
  )

  test.skipIf(!isInstalled(name))('the metrics are not reachable from outside', async () => {
    await using contest = await startContest()
    await using proxy = await startProxy(name, [contest.url])
    expect((await send(`${proxy.url}/metrics`)).status).toBe(403)
    expect((await fetch(`${contest.url}/metrics`)).status).toBe(200)
  })

  test.skipIf(!isInstalled(name))(
    'an upload of 100 MB arrives, and a refused one gets its response',
    async () => {
      await using contest = await startContest()
      await using proxy = await startProxy(name, [contest.url])
      const file = Buffer.alloc(100 * MEBIBYTE, 'pennant')
      const upload = uploadOf(file)
      const { token } = await contest.admin()
      const stored = await send(`${proxy.url}${uploadFilesV2.path}`, { ...upload, token })
      expect(stored, stored.text).toMatchObject({ status: 200 })
      const { data } = JSON.parse(stored.text) as { data: { url: string }[] }
      const link = new URL(data[0]?.url ?? '', contest.url).pathname
      const found = Buffer.from(await (await fetch(`${contest.url}${link}`)).arrayBuffer())
      const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
      expect(digest(found)).toBe(digest(file))
      const { token: other } = await contest.team()
      // The server discards the rest of a refused body for a few seconds only, and 100 MB may take longer.
      const smaller = uploadOf(file.subarray(0, 4 * MEBIBYTE))
      const sendRefused = () => send(`${proxy.url}${uploadFilesV2.path}`, { ...smaller, token: other })
      // Half a second after the response, Caddy closes the connection if much of the body is left: a client that is late loses both.
      const refused = await (name === 'caddy' ? eventually(sendRefused) : sendRefused())
      expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('badPerms') })
    },
  )

  test.skipIf(!isInstalled(name))(
    'events of the live stream arrive unbuffered, and a client resumes after its replica has stopped',
    async () => {
      await using contest = await startContest()
      const replica = await startContest({ beside: contest })
      await using proxy = await startProxy(name, [replica.url, contest.url])
      const stream = await openStreamAt(proxy.url)
      expect(stream.headers['content-encoding']).toBeUndefined()
      await eventually(() => expect(stream.text()).toContain('event: hello'))
      for (const id of ['first', 'second']) {
        await putChallenge(contest.db, challengeRow(id))
        await eventually(() => expect(stream.text()).toContain(`"id":"${id}"`))
      }
      stream.close()
      await replica[Symbol.asyncDispose]()
      const position = /id: (\S+)\n(?![^]*\nid: )/.exec(stream.text())?.[1] ?? ''
      await putChallenge(contest.db, challengeRow('third'))
      const resumed = await eventually(async () => {
        const opened = await openStreamAt(proxy.url, { 'last-event-id': position })
        expect(opened.headers['content-type']).toContain('text/event-stream')
        return opened
      })
      await eventually(() => expect(resumed.text()).toContain('"id":"third"'))
      expect(resumed.text()).not.toMatch(/event: resync|"released":\[\{"id":"(?:first|second)"/)
      resumed.close()
    },
  )

  test.skipIf(!isInstalled(name))(
    `requests ${WAITS[name] ? 'wait' : 'get 502'} while the only server restarts`,
    async () => {
      await using contest = await startContest()
      const port = await findFreePort()
      const start = () => startContest({ beside: contest, config: { port } })
      const first = await start()
      await using proxy = await startProxy(name, [first.url])
      const load = sendSteadily(proxy.url)
      await load.more()
      await first.app.drain()
      await first[Symbol.asyncDispose]()
      await load.more()
      await using _ = await start()
      await load.more()
      const failures = await load.stop()
      if (!WAITS[name]) return expect(new Set(failures)).toEqual(new Set(['GET 502', 'POST 502']))
      // A write whose connection broke at the moment of the stop is not repeated.
      expect(failures.filter((each) => each !== 'POST 502')).toEqual([])
      expect(failures.length).toBeLessThan(3)
    },
  )

  test.skipIf(!isInstalled(name))('no request fails while two replicas restart in turn', async () => {
    await using contest = await startContest()
    const ports = [await findFreePort(), await findFreePort()]
    const start = (port: number) => startContest({ beside: contest, config: { port } })
    const replicas = await Promise.all(ports.map(start))
    const urls = replicas.map(({ url }) => url)
    {
      await using proxy = await startProxy(name, urls)
      // No proxy repeats a write whose connection broke, so one at the moment of a stop may get 502.
      const load = keepSending(proxy.url)
      for (const [at, port] of ports.entries()) {
        // As on SIGTERM.
        await replicas[at]?.app.drain()
        await replicas[at]?.[Symbol.asyncDispose]()
        const replica = (replicas[at] = await start(port))
        // The next one stops when the proxy uses this one again.
        await eventually(async () => expect(await answeredBy(replica)).toBeGreaterThan(0))
      }
      await load.more()
      expect(await load.stop()).toEqual([])
    }
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
  })
})

test.skipIf(!isInstalled('nginx') || !isInstalled('haproxy'))(
  'plain requests are redirected to https',
  async () => {
    await using contest = await startContest()
    for (const name of ['nginx', 'haproxy'] as const) {
      await using proxy = await startProxy(name, [contest.url])
      const headers = { host: 'ctf.example' }
      const { status, headers: response } = await fetch(`${proxy.plainUrl}/scores`, {
        redirect: 'manual',
        headers,
      })
      expect([status, new URL(response.get('location') ?? '').protocol]).toEqual([301, 'https:'])
    }
  },
)

const append = (file: string) =>
  file.replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for')

test.skipIf(!isInstalled('nginx'))(
  'a proxy that appends is as secure as one that sets the header',
  async () => {
    await using contest = await startContest()
    await using proxy = await startProxy('nginx', [contest.url], append)
    expect(await auditedAddresses(contest, proxy.url)).toEqual(CLAIMS.map(() => player))
  },
)

test.skipIf(!isInstalled('nginx'))(
  'with more trusted hops than proxies, clients can choose their address',
  async () => {
    await using contest = await startContest({ config: { proxy: { trust: 2 } } })
    await using proxy = await startProxy('nginx', [contest.url], append)
    expect(await auditedAddresses(contest, proxy.url)).toContain('198.51.100.1')
    expect(contest.logLines.map(({ message }) => message).join()).toContain('proxy.trust is a number')
  },
)
