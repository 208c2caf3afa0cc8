import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { isPrivateAddress } from '../../lib/addresses.ts'
import { createHeavyHitters, type HeavyHitters } from '../../lib/heavy-hitters.ts'
import type { Log } from '../../lib/log.ts'
import type { Sender } from './proxy-trust.ts'

/** Signs of a wrong `proxy.trust` in the requests of the last minutes. */
export interface SenderFindings {
  /** Peers whose forwarding headers were ignored and that are probably proxies. */
  readonly untrustedProxies: readonly string[]
  /** The address that most requests come from, if there is one. */
  readonly dominant: { readonly address: string; readonly percent: number } | null
}

export interface SenderWatch {
  note(sender: Sender): void
  findings(): SenderFindings
}

const WINDOW_MS = 10 * MINUTE_MS
/** Fewer requests are too small a sample. */
const MIN_REQUESTS = 1_000
const DOMINANT_SHARE = 0.75
/** Any client can send these headers, but a proxy sends them with most of the traffic. */
const MIN_PROXY_REQUESTS = 100
const PROXY_SHARE = 0.5
const CHECK_EVERY = 100

interface Window {
  readonly since: number
  requests: number
  readonly addresses: HeavyHitters
  readonly ignored: HeavyHitters
}

/**
 * Detects untrusted proxies and clients that share one address. In both cases rate limits per address affect everyone.
 * Uses bounded memory and logs each finding once.
 */
export function createSenderWatch({
  now,
  log,
}: {
  readonly now: () => number
  readonly log: Log
}): SenderWatch {
  let previous: Window | null = null
  let current = openWindow(now())
  const logged = new Set<keyof SenderFindings>()

  const rotate = () => {
    const age = now() - current.since
    if (age < WINDOW_MS) return
    previous = age < 2 * WINDOW_MS ? current : null
    current = openWindow(now())
  }
  const logOnce = (found: SenderFindings) => {
    if (found.untrustedProxies.length > 0 && !logged.has('untrustedProxies')) {
      logged.add('untrustedProxies')
      const peers = found.untrustedProxies
      log.warn(
        { peers },
        'ignored forwarding headers: the peer is not in proxy.trust (docs/operate/proxies.md)',
      )
    }
    if (found.dominant && !logged.has('dominant')) {
      logged.add('dominant')
      log.warn(
        found.dominant,
        'most requests come from one address; check proxy.trust (docs/operate/proxies.md)',
      )
    }
  }
  return {
    note({ address, peer, hasIgnoredHeaders }) {
      rotate()
      current.requests += 1
      current.addresses.add(address)
      if (hasIgnoredHeaders) current.ignored.add(peer)
      const isFirst = hasIgnoredHeaders && !logged.has('untrustedProxies') && isPrivateAddress(peer)
      if (isFirst || current.requests % CHECK_EVERY === 0) logOnce(findingsOf(current))
    },
    findings() {
      rotate()
      const found = findingsOf(current)
      const before = previous && findingsOf(previous)
      return {
        untrustedProxies: [...new Set([...found.untrustedProxies, ...(before?.untrustedProxies ?? [])])],
        dominant: current.requests < MIN_REQUESTS ? (before?.dominant ?? null) : found.dominant,
      }
    },
  }
}

function openWindow(since: number): Window {
  return { since, requests: 0, addresses: createHeavyHitters(), ignored: createHeavyHitters() }
}

function findingsOf({ requests, addresses, ignored }: Window): SenderFindings {
  const isProxy = ([peer, count]: readonly [string, number]) =>
    isPrivateAddress(peer) || (count >= MIN_PROXY_REQUESTS && count >= requests * PROXY_SHARE)
  const [top] = addresses.top()
  const isDominant = top && requests >= MIN_REQUESTS && top[1] >= requests * DOMINANT_SHARE
  return {
    untrustedProxies: ignored
      .top()
      .filter(isProxy)
      .map(([peer]) => peer),
    dominant: isDominant ? { address: top[0], percent: Math.round((100 * top[1]) / requests) } : null,
  }
}
