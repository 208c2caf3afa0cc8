import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { freePort } from '../../lib/instance.ts'
import { waitMs } from './browser.ts'

// A TLS proxy in front of a server, as docs/operate/proxies.md describes it.

export const PROXIES = ['nginx', 'caddy'] as const
export type ProxyName = (typeof PROXIES)[number]

export interface Proxy extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

const START_LIMIT_MS = 20 * SECOND_MS

/** Throws an error that says what to install. */
export async function startProxy(name: ProxyName, upstream: string): Promise<Proxy> {
  if (spawnSync(name, [name === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' }).error)
    throw new Error(`--proxy: ${name} is not installed.`)
  const folder = await mkdtemp(join(tmpdir(), 'pennant-proxy-'))
  const port = await freePort()
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
  const request =
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1`.split(
      ' ',
    )
  const made = spawnSync('openssl', [...request, '-keyout', files.key, '-out', files.certificate])
  if (made.status !== 0) throw new Error(`--proxy: openssl: ${String(made.stderr ?? made.error)}`)
  const config = join(folder, name === 'nginx' ? 'nginx.conf' : 'Caddyfile')
  const target = { folder, port, upstream: new URL(upstream).host, ...files }
  await writeFile(config, name === 'nginx' ? nginxConfig(target) : caddyConfig(target))
  const child =
    name === 'nginx'
      ? spawn('nginx', ['-c', config, '-e', join(folder, 'error.log')], { stdio: 'inherit' })
      : spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
          stdio: 'ignore',
          env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
        })
  const close = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : null
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilListening(port, child)
  } catch (error) {
    await close()
    throw error
  }
  return { url: `https://127.0.0.1:${port}`, pid: child.pid ?? 0, [Symbol.asyncDispose]: close }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`--proxy: it ended with status ${child.exitCode}.`)
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
    if (isOpen) return
    await waitMs(SECOND_MS / 20)
  }
  throw new Error('--proxy: it does not listen.')
}

interface Target {
  readonly folder: string
  readonly port: number
  readonly upstream: string
  readonly key: string
  readonly certificate: string
}

function nginxConfig({ folder, port, upstream, key, certificate }: Target): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${join(folder, kind)};`,
  )
  return `daemon off;
pid ${join(folder, 'nginx.pid')};
worker_processes 1;
events { worker_connections 19000; }
http {
${temporary.join('\n')}
  access_log off;
  upstream pennant { server ${upstream}; keepalive 256; }
  server {
    listen 127.0.0.1:${port} ssl backlog=8192;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    ssl_session_cache shared:pennant_sessions:10m;
    client_max_body_size 0;
    location / {
      proxy_pass http://pennant;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      # The bench plays clients with many addresses.
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`
}

function caddyConfig({ port, upstream, key, certificate }: Target): string {
  return `{
	admin off
	auto_https off
}
https://127.0.0.1:${port} {
	tls ${certificate} ${key}
	reverse_proxy ${upstream} {
		trusted_proxies 127.0.0.0/8
	}
}
`
}
