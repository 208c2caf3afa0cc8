import { subscribe } from 'node:diagnostics_channel'

// Preloaded into a server process under test, which must run with --expose-gc. On SIGUSR2 it prints one line
// with the memory in use after a garbage collection, the peak resident memory, and the bytes read from open
// connections.

const sockets = new Set()
subscribe('http.server.request.start', ({ socket }) => {
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
})

let probes = 0
process.on('SIGUSR2', () => {
  // The second call completes the work that the first leaves to run concurrently.
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const peakBytes = process.resourceUsage().maxRSS * 1024
  const readBytes = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  console.log(`probe ${++probes} ${JSON.stringify({ heldBytes: heapUsed + external, peakBytes, readBytes })}`)
})
