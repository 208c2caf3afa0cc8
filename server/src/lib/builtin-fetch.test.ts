import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

// In a process of its own, in which nothing has used `fetch` before.
const program = `
  await import(process.argv[1])
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => response.end(request.method)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.on('listening', resolve))
  const headers = { 'content-length': '0' }
  const response = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', headers })
  console.log(await response.text())
  server.closeAllConnections()
  server.close()
`

test('fetch stays that of Node when the engine client is loaded first', () => {
  const engine = new URL('../providers/instancer/docker/internal/engine.ts', import.meta.url).href
  const args = ['--import', 'tsx', '--input-type=module', '-e', program, engine]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()).toBe('POST')
})
