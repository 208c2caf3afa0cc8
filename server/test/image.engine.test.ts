import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../src/lib/free-port.ts'
import { composeFolder, readCompose } from './compose.ts'
import { asAdmin, withDatabase } from './database-admin.ts'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './folder.ts'
import { loadImage, podmanIn, type Podman } from './podman-image.ts'

// The server's image, with the options that docs/operate/containers.md gives.

const root = fileURLToPath(new URL('../..', import.meta.url))
const IMAGE = 'localhost/pennant'
/** Podman's defaults may exceed the limits of this machine. */
const RLIMITS = '--ulimit nofile=4096:4096 --ulimit nproc=4096:4096'
/** Podman ignores the check of an OCI image. */
const HEALTH = ['--health-cmd', 'wget -q -O /dev/null http://127.0.0.1:$PORT/healthz']
const HARDENING = '--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --pids-limit 512'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let podman: Podman

beforeAll(async () => {
  folder = await temporaryFolder()
  podman = podmanIn(folder.path)
  await loadImage(podman, 'pennant')
}, 600_000)

afterAll(async () => {
  await podman('rm', '--all', '--force', '--time', '0')
  await podman('rmi', '--all', '--force')
  await folder[Symbol.asyncDispose]()
}, 120_000)

async function start(name: string, port: number, more: readonly string[] = []): Promise<string> {
  const volume = more.length === 0 ? '--volume data:/data' : ''
  const options = `run --detach --name ${name} --network host ${HARDENING} ${RLIMITS} ${volume}`.trim()
  const env = ['--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1']
  await podman(...options.split(' '), ...HEALTH, ...more, ...env, IMAGE)
  const url = `http://127.0.0.1:${port}`
  try {
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 200)
  } catch (error) {
    throw new Error(`${name} is not ready: ${await podman('logs', name)}`, { cause: error })
  }
  return url
}

/** Starts the image with the environment and the files of the Compose file, and with its stores elsewhere. */
async function startAsComposed(name: string, stores: Readonly<Record<string, string>>) {
  const { pennant } = readCompose({
    DOMAIN: 'ctf.example',
    POSTGRES_PASSWORD: 'x',
    METRICS_TOKEN: 'scrape',
  }).services
  if (!pennant) throw new Error('the Compose file has no server')
  const port = String(await findFreePort())
  const env = { ...pennant.environment, ...stores, PORT: port, HOST: '127.0.0.1' }
  const files = join(composeFolder, 'configuration')
  const options = `run --detach --name ${name} --network host ${HARDENING} ${RLIMITS} --volume ${files}:/pennant/pennant.d:ro`
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  await podman(...options.split(' '), ...variables, IMAGE)
  // The check of the Compose file, with this port.
  const [, ...check] = pennant.healthcheck?.test ?? []
  const command = check.map((part) => part.replace(':3000', `:${port}`))
  await eventually(() => podman('exec', name, ...command), 200)
  return `http://127.0.0.1:${port}`
}

const post = async (url: string, body: object) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await (await fetch(url, init)).json()) as { kind: string; data: { authToken: string } }
}

test('the image serves the site and keeps its data, as an unprivileged user on a read-only root', async () => {
  const port = await findFreePort()
  const url = await start('first', port)
  expect(await (await fetch(url)).text()).toContain('<div id="root">')
  await podman('healthcheck', 'run', 'first')
  const status = await podman('exec', 'first', 'cat', '/proc/1/status')
  expect(status).toMatch(/^Uid:\s+1000/m)
  expect(status).toMatch(/^CapEff:\s+0+$/m)
  await expect(podman('exec', 'first', 'touch', '/pennant/x')).rejects.toThrow(/Read-only/)

  // The link is in the data folder, because the output of a container is a log.
  expect(await podman('logs', 'first')).toContain('/data/first-admin-link')
  const link = await podman('exec', 'first', 'cat', '/data/first-admin-link')
  const verifyToken = decodeURIComponent(/token=(\S+)/.exec(link)?.[1] ?? '')
  const made = await post(`${url}/api/v2/auth/verify`, { verifyToken })
  expect(made.kind).toBe('goodRegisterV2')

  await podman('stop', '--time', '30', 'first')
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', 'first')).toBe('0\n')
  await start('second', port)
  const headers = { authorization: `Bearer ${made.data.authToken}` }
  expect((await fetch(`${url}/api/v2/users/me`, { headers })).status).toBe(200)
})

// Servers that a container can reach: an embedded PostgreSQL listens on a socket only.
const { PENNANT_TEST_COMPOSE_DATABASE_URL: server = '', PENNANT_TEST_COMPOSE_REDIS_URL: redis = '' } =
  process.env
const hasServers = server !== '' && redis !== ''

test.skipIf(!hasServers)('the image runs with the environment of the Compose file', async () => {
  const name = `pennant_test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, `create database ${name}`)
  await using _ = { [Symbol.asyncDispose]: () => asAdmin(server, `drop database ${name} with (force)`) }
  const url = await startAsComposed('composed', {
    DATABASE_URL: withDatabase(server, name),
    REDIS_URL: redis,
  })
  const config = await (await fetch(`${url}/api/v2/integrations/client/config`)).json()
  expect(config).toMatchObject({ data: { ctfName: 'Example CTF', origin: 'https://ctf.example' } })
  const scrape = (token: string) => fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect((await scrape('wrong')).status).toBe(401)
  expect(await (await scrape('scrape')).text()).toContain('pennant_world_teams 0')
  expect(await podman('exec', 'composed', 'ls', '/data')).not.toContain('postgres')
  await podman('stop', '--time', '40', 'composed')
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', 'composed')).toBe('0\n')
})

/** System calls of a set of systemd, which contains other sets. */
function systemCalls(name: string): string[] {
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' })
  const entries = [...stdout.matchAll(/^ {4}(@?\w[\w-]*)$/gm)].map(([, entry = '']) => entry)
  return entries.flatMap((entry) => (entry.startsWith('@') ? systemCalls(entry) : [entry]))
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('the systemd unit is rated at most 2.0', () => {
  const unit = join(root, 'deploy/systemd/pennant.service')
  const options = ['security', '--offline=true', '--threshold=20', '--no-pager', unit]
  const { status, stdout } = spawnSync('systemd-analyze', options, { encoding: 'utf8' })
  console.log(/Overall exposure level.*/.exec(stdout)?.[0])
  expect(status).toBe(0)
})

test.skipIf(!hasSystemd)('the server runs with only the system calls of the systemd unit', async () => {
  const unit = readFileSync(join(root, 'deploy/systemd/pennant.service'), 'utf8')
  const filters = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)]
  const sets = (sign: string) =>
    filters
      .filter(([, found]) => found === sign)
      .flatMap(([, , names = '']) => names.split(' ').flatMap(systemCalls))
  const denied = new Set(sets('~'))
  const names = sets('').filter((name) => !denied.has(name))
  expect(names.length).toBeGreaterThan(200)
  const profile = join(folder.path, 'seccomp.json')
  // EPERM, as in the unit.
  const rules = {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: 1,
    syscalls: [{ names, action: 'SCMP_ACT_ALLOW' }],
  }
  writeFileSync(profile, JSON.stringify(rules))
  const url = await start('filtered', await findFreePort(), ['--security-opt', `seccomp=${profile}`])
  expect(await podman('exec', 'filtered', 'cat', '/proc/1/status')).toMatch(/^Seccomp:\s+2$/m)
  expect((await fetch(url)).status).toBe(200)
  await podman('stop', '--time', '30', 'filtered')
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', 'filtered')).toBe('0\n')
})

test('the image runs the other commands', async () => {
  const options = `run --rm --network none ${HARDENING} ${RLIMITS}`.split(' ')
  expect(await podman(...options, IMAGE, '--help')).toContain('Usage: pennant')
  expect(await podman(...options, IMAGE, 'token-key')).toMatch(/^[\w+/]{43}=\n$/)
})
