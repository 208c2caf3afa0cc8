import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { localPatroni, type PatroniNode } from '../../server/test/patroni.ts'
import {
  createDatabaseFolder,
  databaseAccount,
  openClient,
  pidOf,
  untilDone,
  type DatabaseServer,
} from './databases.ts'
import { signalAll, spawnQuietly, startProgram, type Service, type Surroundings } from './processes.ts'

// Three PostgreSQL nodes under Patroni with etcd, behind HAProxy, with the files of deploy/patroni.

const EXAMPLES = fileURLToPath(new URL('../../deploy/patroni/', import.meta.url))

/** A database host: Patroni and the PostgreSQL that it runs. */
export interface Node extends Service {
  /** All processes of the host. */
  pids(): Promise<number[]>
}

export interface FailoverCluster extends DatabaseServer {
  readonly nodes: readonly Node[]
  readonly etcd: Service
  /** The node with the role. */
  find(role: 'leader' | 'sync_standby'): Promise<Node>
  /** Waits until a write through HAProxy is confirmed; by another node than this one, if given. */
  untilWritable(except?: Node): Promise<void>
  /** Starts what was killed, and waits until each node runs and one is a synchronous standby. */
  heal(): Promise<void>
  switchOver(): Promise<void>
}

/** Programs that are needed and missing. */
export function missingForFailover(): string[] {
  return ['patroni', 'etcd', 'haproxy'].filter((name) => spawnSync(name, ['--version']).error !== undefined)
}

interface Ports {
  readonly name: string
  readonly port: number
  readonly restPort: number
}

export async function startFailoverCluster(
  surroundings: Surroundings,
  bin: string,
): Promise<FailoverCluster> {
  const folder = await createDatabaseFolder(surroundings.cleanups, null)
  const etcd = await startEtcd(folder, surroundings)
  const ports: Ports[] = []
  for (const name of ['db1', 'db2', 'db3'])
    ports.push({ name, port: await findFreePort(), restPort: await findFreePort() })
  const nodes: Node[] = []
  for (const one of ports) nodes.push(await startNode(one, { folder, bin, etcd }, surroundings))
  const proxyPort = await startProxy(folder, ports, surroundings)
  const urlOf = (user: string, database: string) => `postgres://${user}@127.0.0.1:${proxyPort}/${database}`
  const cluster = clusterOf({ folder, etcd, nodes, ports, probeUrl: urlOf('postgres', 'probe') })
  await untilDone(() => createDatabases(urlOf('postgres', 'postgres')))
  await cluster.heal()
  return { ...cluster, url: urlOf('pennant', 'pennant') }
}

async function createDatabases(url: string): Promise<void> {
  const client = await openClient(url)
  try {
    await client.query('create role pennant login')
    await client.query('create database pennant owner pennant')
    await client.query('create database probe')
  } finally {
    await client.end()
  }
}

function startEtcd(folder: string, surroundings: Surroundings): Promise<Service> {
  return findFreePort().then(async (port) => {
    const url = `http://127.0.0.1:${port}`
    const peer = `http://127.0.0.1:${await findFreePort()}`
    const options = {
      'data-dir': join(folder, 'etcd'),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
      'enable-v2': 'true',
    }
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    const isReady = async () => (await fetch(`${url}/health`)).ok
    return await startProgram(
      {
        name: 'etcd',
        url,
        spawn: () => spawnQuietly('etcd', args, { ...databaseAccount(), stdio: 'ignore' }),
        isReady,
      },
      surroundings,
    )
  })
}

interface NodeOptions {
  readonly folder: string
  readonly bin: string
  readonly etcd: Service
}

async function startNode(
  { name, port, restPort }: Ports,
  { folder, bin, etcd }: NodeOptions,
  surroundings: Surroundings,
): Promise<Node> {
  const data = join(folder, name)
  const file = join(folder, `${name}.yaml`)
  await writeConfiguration(file, { name, port, restPort, data, bin, etcdAddress: new URL(etcd.url).host })
  const url = `http://127.0.0.1:${restPort}`
  const service = await startProgram(
    {
      name,
      url,
      spawn: () =>
        spawnQuietly('patroni', [file], {
          ...databaseAccount(),
          cwd: folder,
          stdio: 'ignore',
          env: { ...process.env, HOME: folder },
        }),
      isReady: async () => (await fetch(`${url}/readiness`)).ok,
    },
    surroundings,
  )
  const pids = () => processesOf(data, file)
  // The whole host: its PostgreSQL would go on without Patroni.
  const kill = async () => {
    await service.kill()
    signalAll(await pids(), 'SIGKILL')
  }
  // A shutdown by Patroni would wait for its standbys.
  await surroundings.cleanups.add(kill)
  return { ...service, pids, kill }
}

async function writeConfiguration(
  file: string,
  node: Omit<PatroniNode, 'restAddress' | 'address'> & Ports,
): Promise<void> {
  const example = await readFile(join(EXAMPLES, 'patroni.yaml'), 'utf8')
  const [restAddress, address] = [`127.0.0.1:${node.restPort}`, `127.0.0.1:${node.port}`]
  await writeFile(file, localPatroni(example, { ...node, restAddress, address }))
  const account = databaseAccount()
  if (account) await chown(file, account.uid, account.gid)
}

/** HAProxy listens on the returned port. */
async function startProxy(
  folder: string,
  nodes: readonly Ports[],
  surroundings: Surroundings,
): Promise<number> {
  const port = await findFreePort()
  const example = await readFile(join(EXAMPLES, 'haproxy.cfg'), 'utf8')
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`,
  )
  const lines = example.split('\n').filter((line) => !line.startsWith('  server '))
  const text = `${lines.join('\n').replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)}\n${servers.join('\n')}\n`
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text, { mode: 0o644 })
  await startProgram(
    {
      name: 'HAProxy',
      url: `tcp://127.0.0.1:${port}`,
      spawn: () => spawnQuietly('haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' }),
      isReady: async () => {
        await (await openClient(`postgres://postgres@127.0.0.1:${port}/postgres`)).end()
        return true
      },
    },
    surroundings,
  )
  return port
}

/** Processes that name the folder or the file, and those that they started. */
async function processesOf(data: string, file: string): Promise<number[]> {
  const parents = new Map<number, number>()
  const found = new Set<number>()
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!(pid > 0)) continue
    const read = (entry: string) => readFile(`/proc/${pid}/${entry}`, 'utf8').catch(() => '')
    parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(await read('status'))?.[1] ?? 0))
    const args = (await read('cmdline')).split('\0')
    if (args.includes(data) || args.includes(file)) found.add(pid)
  }
  if (existsSync(join(data, 'postmaster.pid'))) found.add(pidOf(data))
  // Two levels: the main process of PostgreSQL and its sessions.
  for (const _ of [1, 2]) for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  return [...found].filter((pid) => pid !== process.pid && existsSync(`/proc/${pid}`))
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

interface Parts {
  readonly folder: string
  readonly etcd: Service
  readonly nodes: readonly Node[]
  readonly ports: readonly Ports[]
  readonly probeUrl: string
}

const HEAL_LIMIT_MS = 120_000
const PROBE_MS = 2_000

function clusterOf({ folder, etcd, nodes, ports, probeUrl }: Parts): Omit<FailoverCluster, 'url'> {
  const find: FailoverCluster['find'] = async (role) => {
    const member = (await listMembers(nodes)).find((one) => one.role === role)
    const node = nodes.find(({ name }) => name === member?.name)
    if (!node) throw new Error(`no node is ${role}`)
    return node
  }
  const pid = async () => pidOf(join(folder, (await find('leader')).name))
  const untilWritable = async (except?: Node) => {
    const port = ports.find(({ name }) => name === except?.name)?.port
    await untilDone(() => writeOnce(probeUrl, port))
  }
  return {
    folder,
    nodes,
    etcd,
    find,
    pid,
    untilWritable,
    async end(name) {
      process.kill(await pid(), name)
      await untilWritable()
    },
    async heal() {
      for (const one of [etcd, ...nodes]) if (one.isKilled()) await one.start()
      const deadline = performance.now() + HEAL_LIMIT_MS
      while (!isHealthy(await listMembers(nodes))) {
        if (performance.now() > deadline) throw new Error('the cluster does not become healthy')
        await delay(200)
      }
    },
    async switchOver() {
      const leader = await find('leader')
      const response = await fetch(`${leader.url}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name }),
      })
      if (!response.ok) throw new Error(`switchover: ${await response.text()}`)
      await untilWritable(leader)
    },
  }
}

function isHealthy(members: readonly Member[]): boolean {
  const roles = members.map(({ role }) => role)
  const isRunning = ({ state }: Member) => state === 'running' || state === 'streaming'
  return (
    members.length === 3 &&
    members.every(isRunning) &&
    roles.includes('leader') &&
    roles.includes('sync_standby')
  )
}

/** As a node that responds sees them. */
async function listMembers(nodes: readonly Node[]): Promise<readonly Member[]> {
  for (const { url } of nodes) {
    const response = await fetch(`${url}/cluster`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(
      () => null,
    )
    if (response?.ok) return ((await response.json()) as { members: Member[] }).members
  }
  return []
}

/** Confirmed by a standby, because commits are synchronous. Throws if a server of this port does it. */
async function writeOnce(url: string, exceptPort?: number): Promise<void> {
  const client = await openClient(url, PROBE_MS)
  try {
    const { rows } = await client.query<{ port: string }>("select current_setting('port') as port")
    if (Number(rows[0]?.port) === exceptPort) throw new Error('the same primary')
    await client.query('create table if not exists probes (at timestamptz)')
    await client.query('insert into probes values (now())')
  } finally {
    void client.end().catch(() => {})
  }
}
