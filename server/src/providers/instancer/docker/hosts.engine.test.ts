import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FLAG_SERVICE,
  instancerOn,
  leftovers,
  never,
  orderOf,
  untilRunning,
} from '../../../../test/docker-instances.ts'
import { startEngine, type TestEngine } from '../../../../test/engine.ts'
import { temporaryFolder } from '../../../../test/folder.ts'

let one: TestEngine
let two: TestEngine

beforeAll(async () => {
  ;[one, two] = [await startEngine(), await startEngine()]
})
afterAll(async () => {
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

const orders = ['team-0', 'team-1', 'team-2', 'team-3'].map((team) =>
  orderOf(team, FLAG_SERVICE, { expose: [] }),
)

test('places instances on the least loaded host, and reports and skips an unreachable one', async () => {
  const host = (name: string, { url }: TestEngine, maxInstances: number) => ({
    name,
    url,
    publicHost: name,
    maxInstances,
  })
  const hosts = [host('one', one, 2), host('two', two, 4)]
  const instancer = await instancerOn({ url: '', manager: 'hosts', more: { hosts } })
  for (const order of orders.slice(0, 3)) await instancer.create(order, never)
  const placed = async () =>
    Object.fromEntries(
      (await instancer.list!(never)).instances.map(({ teamId, host: name }) => [teamId, name]),
    )
  expect(await placed()).toEqual({ 'team-0': 'one', 'team-1': 'two', 'team-2': 'two' })
  await one.stop()
  expect(await instancer.capacity?.(never)).toMatchObject([
    { host: 'one', used: 0, isUp: false },
    { host: 'two', used: 2, max: 4, isUp: true },
  ])
  await expect(instancer.get(orders[0]!, never)).rejects.toThrow(/does not respond/)
  expect((await untilRunning(instancer, orders[1]!)).status).toBe('running')
  // The team starts again on another host; of the two instances, the newer one is kept.
  await instancer.create(orders[0]!, never)
  await one.restart()
  await instancer.prune?.(never)
  expect(await placed()).toEqual({ 'team-0': 'two', 'team-1': 'two', 'team-2': 'two' })
  for (const order of orders) await instancer.delete(order, never)
  expect((await leftovers(one, 'hosts')) + (await leftovers(two, 'hosts'))).toBe(0)
  await instancer.close?.()
}, 300_000)

test('connects to an engine behind TLS only with a client certificate', async () => {
  await using folder = await temporaryFolder()
  const made = certificates(folder.path)
  const listener = createServer(
    { ...made.server, ca: made.ca, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      const engine = connect(two.socketPath)
      socket.pipe(engine).pipe(socket)
      for (const end of [socket, engine]) end.on('error', () => {})
    },
  )
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const url = `tcp://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const withTls = (tls: object) =>
    instancerOn({ url, manager: 'tls', more: { hosts: [{ name: 'far', url, tls, publicHost: 'far' }] } })
  const known = await withTls({ ca: made.ca, ...made.client })
  await known.create(orders[0]!, never)
  expect((await untilRunning(known, orders[0]!)).status).toBe('running')
  await known.delete(orders[0]!, never)
  const stranger = await withTls({ ca: made.ca })
  await expect(stranger.get(orders[0]!, never)).rejects.toThrow('The container engine cannot be reached.')
  const credulous = await withTls({ ...made.client })
  await expect(credulous.get(orders[0]!, never)).rejects.toThrow('The container engine cannot be reached.')
  await Promise.all([known, stranger, credulous].map((each) => each.close?.()))
  listener.close()
})

/** A certificate authority, and certificates for a server named localhost and for a client. */
function certificates(folder: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=authority')
  const issue = (name: string) => {
    const common = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key']
    openssl('req', '-x509', ...key, ...issuer, ...common, '-keyout', `${name}.key`, '-out', `${name}.pem`)
    const read = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8')
    return { cert: read('pem'), key: read('key') }
  }
  return {
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    server: issue('localhost'),
    client: issue('client'),
  }
}
