// The physical limit: a process that sends a prepared buffer. `node plain-server.mjs <port>`; the path sets
// the size.
import { createServer } from 'node:http'

const buffers = new Map()

createServer((request, response) => {
  const size = Number(request.url.slice(1)) || 1024
  let body = buffers.get(size)
  if (!body) buffers.set(size, (body = Buffer.alloc(size, 'x')))
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': size })
  response.end(body)
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'))
