import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../../server/src/lib/free-port.ts'

/** nginx in one process, which sends files. */
export interface Nginx extends Disposable {
  readonly url: string
  readonly pid: number | null
  /** Returns the path of a file of this size. */
  add(bytes: number): string
}

const CONFIG = (port: number, folder: string) => `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type application/json;
  open_file_cache max=1000; client_body_temp_path ${folder}; proxy_temp_path ${folder};
  fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`
const READY_POLLS = 100
const POLL_MS = 50

/** Null where it is not installed. */
export async function startNginx(): Promise<Nginx | null> {
  const folder = mkdtempSync(join(tmpdir(), 'pennant-nginx-'))
  const port = await findFreePort()
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, CONFIG(port, folder))
  writeFileSync(join(folder, 'ready'), 'ready')
  const child = spawn('nginx', ['-c', config, '-p', folder], { stdio: 'ignore' })
  const stop = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  let isRunning = true
  child.once('error', () => (isRunning = false))
  child.once('exit', () => (isRunning = false))
  const url = `http://127.0.0.1:${port}`
  for (let poll = 0; isRunning && poll < READY_POLLS; poll += 1) {
    const isReady = await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) {
      const add = (bytes: number) => {
        writeFileSync(join(folder, `${bytes}`), Buffer.alloc(bytes, 'a'))
        return `/${bytes}`
      }
      return { url, pid: child.pid ?? null, add, [Symbol.dispose]: stop }
    }
    await delay(POLL_MS)
  }
  stop()
  return null
}
