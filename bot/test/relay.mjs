// Runs in a container without a network and adds addresses to its loopback interface: a page that visits may
// see, the server, and internal services that visits must not reach. Relays the server's address to a socket
// of the test, and a socket of the test to the worker.
import { execFileSync } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer } from 'node:net'

const [folder, page, server, ...services] = process.argv.slice(2)
const [pagePort, serverPort, servicePort, workerPort] = [80, 8080, 80, 21_337]

for (const address of [page, server, ...services])
  execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])

const join = (to) => (client) => {
  const upstream = connect(to)
  client.pipe(upstream).pipe(client)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ])
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
}
const listen = (service, ...where) => new Promise((resolve) => service.listen(...where, resolve))
const html = (_request, response) =>
  response.setHeader('content-type', 'text/html').end('<title>a page</title>')

await listen(createHttpServer(html), pagePort, page)
for (const address of services) await listen(createHttpServer(html), servicePort, address)
await listen(createServer(join(`${folder}/server.sock`)), serverPort, server)
await listen(createServer(join({ host: '127.0.0.1', port: workerPort })), `${folder}/worker.sock`)
// An abstract socket, as desktop programs and container engines use.
await listen(
  createServer((socket) => socket.end()),
  '\0internal-service',
)
console.log('ready')
