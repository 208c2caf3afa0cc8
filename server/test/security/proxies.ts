import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { openStream, STREAM_TYPE } from '@pennant/contract/stream.ts'
import { expect } from 'vitest'
import { findFreePort } from '../../src/lib/free-port.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../folder.ts'

// Runs the files of deploy/proxies with only ports, names and certificates changed. The client connects from an
// address of this machine that is not loopback, as a player would.

/** An address of this machine that is not loopback. */
export const player = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address

interface Place {
  readonly plain: number
  readonly front: number
  readonly back: number
  readonly second: number | undefined
  readonly folder: string
}

interface Proxy {
  readonly file: string
  readonly version: readonly string[]
  readonly change: (sample: string, place: Place) => string
  readonly command: (path: string, folder: string) => readonly string[]
}

export const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    version: ['-v'],
    change: (sample, { plain, front, second, folder }) =>
      inMainFile(
        replace(sample, [
          [/^ {2}# (server 127.*);.*$/m, second ? '  $1;' : '$&'],
          ['listen 80;', `listen ${plain};`],
          ['listen 443 ', `listen ${front} `],
          ['/etc/letsencrypt/live/ctf.example/fullchain.pem', join(folder, 'both.pem')],
          ['/etc/letsencrypt/live/ctf.example/privkey.pem', join(folder, 'both.pem')],
        ]),
        folder,
      ),
    command: (path, folder) => ['-p', folder, '-c', path, '-g', 'daemon off;'],
  },
  caddy: {
    file: 'Caddyfile',
    version: ['version'],
    change: (sample, { front, second, folder }) => {
      const certificate = join(folder, 'both.pem')
      const changed = replace(sample, [
        [/^ctf\.example \{/m, `{\n admin off\n}\nhttps://:${front} {\n tls ${certificate} ${certificate}`],
        [/^\t(reverse_proxy|forward_auth @write) (\S+) \{/gm, second ? '\t$1 $2 127.0.0.1:3001 {' : '$&'],
      ])
      // Caddy finds a certificate by name or, without one, by the default.
      return changed.replace('{\n admin off', '{\n admin off\n default_sni ctf.example')
    },
    command: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
  haproxy: {
    file: 'haproxy.cfg',
    version: ['-v'],
    change: (sample, { plain, front, second, folder }) =>
      replace(sample, [
        [/^ {2}# (server second.*)$/gm, second ? '  $1' : '$&'],
        [/bind \*:80$/m, `bind *:${plain}`],
        ['bind *:443 ', `bind *:${front} `],
        ['/etc/haproxy/ctf.pem', join(folder, 'both.pem')],
      ]),
    command: (path) => ['-db', '-f', path],
  },
} as const satisfies Readonly<Record<string, Proxy>>

export type ProxyName = keyof typeof PROXIES

export const isInstalled = (name: ProxyName) => spawnSync(name, PROXIES[name].version).status === 0

/** Every replacement must have an effect, so that a changed file does not escape the test. */
function replace(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((before, [from, to]) => {
    expect(before.search(from instanceof RegExp ? from : escaped(from)), String(from)).not.toBe(-1)
    return typeof from === 'string' ? before.replaceAll(from, to) : before.replace(from, to)
  }, text)
}

const escaped = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))

function inMainFile(site: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  // Its workers write request bodies to the folder of the test, which belongs to this user.
  return `user root;\nerror_log stderr;\npid ${join(folder, 'pid')};\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`
}

function writeCertificate(folder: string): void {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=ctf.example', '-addext', 'subjectAltName=DNS:ctf.example']
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  writeFileSync(join(folder, 'both.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
}

export interface StartedProxy extends AsyncDisposable {
  /** What players use: https and an address that is not loopback. */
  readonly url: string
  /** The port that redirects to https, where the file has one. */
  readonly plainUrl: string
}

/** Starts a proxy in front of one or two servers. `edit` changes its file further. */
export async function startProxy(
  name: ProxyName,
  servers: readonly string[],
  edit: (file: string) => string = (file) => file,
): Promise<StartedProxy> {
  const { path: folder, ...temporary } = await temporaryFolder()
  const [back = 0, second] = servers.map((url) => Number(new URL(url).port))
  const [plain, front] = [await findFreePort(), await findFreePort()]
  writeCertificate(folder)
  const { file, change, command } = PROXIES[name]
  const sample = readFileSync(new URL(`../../../deploy/proxies/${file}`, import.meta.url), 'utf8')
  const text = change(sample, { plain, front, back, second, folder })
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${back}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${second ?? back}`)
  const path = join(folder, file)
  writeFileSync(path, edit(text))
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const log = join(folder, 'log')
  const output = openSync(log, 'w')
  const program = spawn(name, command(path, folder), {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...home },
  })
  closeSync(output)
  const exit = once(program, 'exit')
  const url = `https://${player}:${front}`
  const ready = eventually(async () => expect((await send(`${url}/healthz`)).status).toBe(200))
  const failed = exit.then(() => Promise.reject(new Error(`${name} ended: ${readFileSync(log, 'utf8')}`)))
  await Promise.race([ready, failed])
  failed.catch(() => {})
  return {
    url,
    plainUrl: `http://${player}:${plain}`,
    async [Symbol.asyncDispose]() {
      program.kill('SIGTERM')
      await exit
      await temporary[Symbol.asyncDispose]()
    },
  }
}

export interface Sent {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | Buffer
}

/** Sends any header on a new connection, and accepts the certificate of the test. */
export function send(
  url: string,
  { token, headers, body }: Sent = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const options = { method: body ? 'POST' : 'GET', headers: all, agent: false, rejectUnauthorized: false }
    const asked = request(url, { ...options, servername: 'ctf.example' }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject)
    })
    asked.on('error', reject).end(body instanceof Buffer ? body : body && JSON.stringify(body))
  })
}

/** A response that stays open. */
export interface OpenResponse {
  readonly headers: IncomingHttpHeaders
  /** What has arrived so far. */
  text(): string
  isEnded(): boolean
  close(): void
}

/** Opens a live stream and resolves with its headers. */
export function openStreamAt(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, rejectUnauthorized: false, servername: 'ctf.example' }
    const all = { accept: STREAM_TYPE, 'accept-encoding': 'gzip, br', ...headers }
    const asked = request(`${url}${openStream.path}`, { ...options, headers: all }, (response) => {
      let [text, isEnded] = ['', false]
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('close', () => (isEnded = true)).on('error', () => {})
      const close = () => asked.destroy()
      resolve({ headers: response.headers, text: () => text, isEnded: () => isEnded, close })
    })
    asked.on('error', reject).end()
  })
}
