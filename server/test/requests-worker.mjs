// Sends requests one after the other over one connection, from a thread with a heap of its own, so that the allocations of the
// test's thread are those of the server.
import { once } from 'node:events'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const socket = connect(workerData.port, '127.0.0.1')
await once(socket, 'connect')

/** Returns the status when the whole response has arrived. */
async function send(request) {
  socket.write(request)
  let text = ''
  for (;;) {
    const [chunk] = await once(socket, 'data')
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) continue
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length >= end + 4 + length) return Number(text.slice(9, 12))
  }
}

parentPort.on('message', async (requests) => {
  const statuses = {}
  for (const request of requests) {
    const status = await send(request)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  parentPort.postMessage(statuses)
})
parentPort.on('close', () => socket.destroy())
parentPort.postMessage('ready')
