// Loaded into a measured server with `node --import`: reports what cannot be seen from outside. Listens on the socket in
// BENCH_PROBE.
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const SOLVES = 'event: solves'
/** Writes of the first event with solves since the last reset: how many, and when the first and the last one happened. */
let writes = { count: 0, firstAt: null, lastAt: null }
/** The bytes of that event, which all connections share, so that most writes cost one comparison. */
let event = null

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

const { write } = Socket.prototype
Socket.prototype.write = function (bytes, ...rest) {
  const written = write.call(this, bytes, ...rest)
  if (event === null && typeof bytes === 'object' && bytes.includes(SOLVES)) event = bytes
  if (event !== null && bytes === event) {
    const at = monotonicMs()
    writes = { count: writes.count + 1, firstAt: writes.firstAt ?? at, lastAt: at }
  }
  return written
}

const COMMANDS = {
  '/reset': () => {
    writes = { count: 0, firstAt: null, lastAt: null }
    event = null
    return {}
  },
  '/writes': () => writes,
  // Without a collection in between, the difference of two reports is what was allocated.
  '/heap': () => {
    const { heapUsed, external } = process.memoryUsage()
    return { heapUsed, external }
  },
  '/collect': () => {
    collect()
    return {}
  },
}

if (process.env.BENCH_PROBE) {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(COMMANDS[request.url]?.() ?? null))
  })
  server.listen(process.env.BENCH_PROBE).unref()
}
