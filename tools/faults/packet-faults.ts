import { setTimeout as delay } from 'node:timers/promises'
import { startMachine } from '../../server/test/machine.ts'
import type { Cleanups } from './cleanup.ts'

/** A router between the second replica and the database: a network namespace whose firewall loses packets. */
export interface Router {
  /** Where this machine must listen, so that packets come through the router. */
  readonly listenOn: string
  /** What the replica connects to. */
  readonly address: string
  /** Forwards connections to this port. */
  forward(port: number): void
  /** Drops or rejects what matches until the returned function is called. */
  lose(rule: string): () => void
}

type PacketFault = (deployment: { readonly router: Router | null }) => Promise<void>

const BROKEN_MS = 10_000
/** Longer than any write waits. */
const DROPPED_MS = 20_000

export const PACKET_FAULTS: Readonly<Record<string, PacketFault>> = {
  'packets-dropped': lose(DROPPED_MS, '-j DROP'),
  'packets-rejected': lose(BROKEN_MS, '-p tcp -j REJECT --reject-with tcp-reset'),
  'packets-lost': lose(BROKEN_MS, '-m statistic --mode random --probability 0.05 -j DROP'),
  // About a third of what the replica needs.
  'packets-limited': lose(
    BROKEN_MS,
    '-m hashlimit --hashlimit-name faults --hashlimit-above 100/second --hashlimit-burst 20 -j DROP',
  ),
}

function lose(brokenMs: number, rule: string): PacketFault {
  return async ({ router }) => {
    const heal = router?.lose(rule)
    try {
      await delay(brokenMs)
    } finally {
      heal?.()
    }
  }
}

/** Needs root, `ip` and `iptables`. */
export async function startRouter(cleanups: Cleanups): Promise<Router> {
  const machine = startMachine()
  await cleanups.add(() => machine[Symbol.dispose]())
  const { address, outside } = machine
  const iptables = (...args: string[]) => machine.run('iptables', ...args)
  machine.run('sysctl', '-q', '-w', 'net.ipv4.ip_forward=1')
  // The packets leave through the interface that they came from, which a router would report to their sender.
  machine.run(
    'sysctl',
    '-q',
    '-w',
    'net.ipv4.conf.all.send_redirects=0',
    'net.ipv4.conf.up0.send_redirects=0',
  )
  iptables('-t', 'nat', '-A', 'POSTROUTING', '-j', 'MASQUERADE')
  return {
    listenOn: outside.internet,
    address,
    forward(port) {
      const target = `${outside.internet}:${port}`
      const rule = ['-p', 'tcp', '--dport', String(port), '-j', 'DNAT', '--to-destination', target]
      iptables('-t', 'nat', '-A', 'PREROUTING', ...rule)
    },
    lose(rule) {
      iptables('-A', 'FORWARD', ...rule.split(' '))
      return () => iptables('-F', 'FORWARD')
    },
  }
}
