// The physical limit: a process that sends prepared bytes. Its parent sends it the responses, by path.
import { createServer } from 'node:http'

const responses = new Map()

const server = createServer((request, response) => {
  const { status, headers, body } = responses.get(request.url) ?? { status: 404, headers: [], body: '' }
  response.writeHead(status, headers)
  response.end(body)
})
server.keepAliveTimeout = 60_000

process.on('message', ({ path, status, headers, body }) => {
  responses.set(path, { status, headers, body: Buffer.from(body, 'base64') })
  process.send({ added: path })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
