import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'

/**
 * A network namespace that represents the engine's host: firewall rules and addresses there affect nothing
 * else. A veth pair connects it with this process, which represents the outside networks.
 */
export interface TestMachine extends Disposable {
  /** Command prefix that runs a command in the namespace. */
  readonly enter: readonly string[]
  /** Address that is reachable from outside. */
  readonly address: string
  /** This process, as the namespace and its containers see it: on the internet and on private networks. */
  readonly outside: {
    readonly internet: string
    readonly internet6: string
    readonly private: string
    readonly private6: string
  }
  /** Runs a command in the namespace; throws if it fails. */
  run(command: string, ...args: string[]): string
  /** Starts a service in the namespace on all its addresses. Resolves to the port. */
  serve(saying: string): Promise<number>
}

/** Listens on all IPv4 and IPv6 addresses and prints its port. */
const SERVER = `
const server = require('node:net').createServer((socket) => socket.end(process.argv[1] + '\\n').on('error', () => {}))
server.listen(0, '::', () => console.log(server.address().port))
`

export function startMachine(): TestMachine {
  // The random number prevents collisions with test files that run at the same time.
  const number = randomInt(1, 254)
  const name = `pennant-${process.pid}-${number}`
  const cable = `pnt${process.pid % 100_000}x${number}`
  const enter = ['nsenter', `--net=/run/netns/${name}`]
  const services: ReturnType<typeof spawn>[] = []
  const outside = {
    internet: `203.0.113.${(number % 63) * 4 + 1}`,
    internet6: `2001:db8:${number}::1`,
    private: `192.168.${number}.1`,
    private6: `fd00:${number}::1`,
  }
  const address = `203.0.113.${(number % 63) * 4 + 2}`

  function run(command: string, ...args: string[]): string {
    return must(...enter, command, ...args)
  }

  must('ip', 'netns', 'add', name)
  must('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'up0', 'netns', name)
  for (const each of [`${outside.internet}/30`, `${outside.private}/24`])
    must('ip', 'addr', 'add', each, 'dev', cable)
  for (const each of [outside.internet6, outside.private6])
    must('ip', 'addr', 'add', `${each}/64`, 'dev', cable, 'nodad')
  must('ip', 'link', 'set', cable, 'up')
  for (const each of [`${address}/30`, `192.168.${number}.2/24`]) run('ip', 'addr', 'add', each, 'dev', 'up0')
  for (const each of [`2001:db8:${number}::2/64`, `fd00:${number}::2/64`])
    run('ip', 'addr', 'add', each, 'dev', 'up0', 'nodad')
  for (const each of ['lo', 'up0']) run('ip', 'link', 'set', each, 'up')
  run('ip', 'route', 'add', 'default', 'via', outside.internet)
  run('ip', '-6', 'route', 'add', 'default', 'via', outside.internet6)

  return {
    enter,
    address,
    outside,
    run,
    async serve(saying) {
      const [command = '', ...args] = [...enter, process.execPath, '-e', SERVER, saying]
      const service = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      services.push(service)
      const [port] = (await once(service.stdout, 'data')) as [Buffer]
      return Number(port.toString())
    },
    [Symbol.dispose]() {
      for (const service of services) service.kill('SIGKILL')
      must('ip', 'netns', 'del', name)
    },
  }
}

function must(...[command = '', ...args]: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}
