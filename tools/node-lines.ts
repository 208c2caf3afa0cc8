import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../server/src/lib/free-port.ts'

// Starts the built server with every supported line of Node, registers a team and stops it:
//   npm run build && npx tsx tools/node-lines.ts [version…]
// The programs come from npm's `node` packages.

const root = fileURLToPath(new URL('..', import.meta.url))
const LINES = ['20.19', '22', '24', '26']
const START_LIMIT_MS = 120_000
const POLL_MS = 100

const lines = process.argv.length > 2 ? process.argv.slice(2) : LINES
for (const line of lines) {
  const folder = mkdtempSync(join(tmpdir(), 'pennant-node-'))
  try {
    const started = performance.now()
    const version = await tryLine(line, folder)
    console.log(`ok     Node ${version}, ${Math.round(performance.now() - started)} ms from start to stop`)
  } catch (error) {
    console.log(`FAILED Node ${line}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryLine(line: string, folder: string): Promise<string> {
  const install = ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', folder]
  execFileSync('npm', [...install, `node-linux-${process.arch}@${line}`], { cwd: folder })
  const program = join(folder, `node_modules/node-linux-${process.arch}/bin/node`)
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  if (!version.startsWith(`${line}.`)) throw new Error(`the package has ${version}`)
  const port = await findFreePort()
  // Variables of the test run are not settings of the server.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^PENNANT_|^DATABASE_URL$|^REDIS_URL$/.test(name),
  )
  const env = {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    HOST: '127.0.0.1',
    PENNANT_DATA_DIR: join(folder, 'data'),
  }
  const server = spawn(program, [join(root, 'server/dist/main.js'), 'serve'], { cwd: folder, env })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exit = once(server, 'exit')
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/readyz`, server)
    await register(`http://127.0.0.1:${port}`)
    server.kill('SIGTERM')
    const [status] = await exit
    if (status !== 0) throw new Error(`exit status ${status}`)
    return version
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${output}`, { cause: error })
  } finally {
    server.kill('SIGKILL')
  }
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end;) {
    if (server.exitCode !== null) throw new Error('the server ended')
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error('the server is not ready')
}

async function register(url: string): Promise<void> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ name: 'smoke test', email: 'smoke@test.example' })
  const response = await fetch(`${url}/api/v2/auth/register`, { ...init, body })
  const { kind, data } = (await response.json()) as { kind: string; data?: { authToken?: string } }
  if (!data?.authToken) throw new Error(`the registration was answered with ${response.status} ${kind}`)
  const headers = { authorization: `Bearer ${data.authToken}` }
  const me = await fetch(`${url}/api/v2/users/me`, { headers })
  if (!me.ok) throw new Error(`the team was answered with ${me.status}`)
}
