import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { TLSSocket } from 'node:tls'
import { goodClientAddress, readClientAddress } from '@pennant/contract/diagnosis.ts'
import { HEALTH_PATH } from '@pennant/contract/health.ts'
import type { z } from 'zod'
import { deploymentOf } from '../../db/token-key.ts'
import { failure, ok, unchecked, warning, type Check, type Finding, type Subject } from './check.ts'
import { reasonOf } from '../../lib/reason.ts'
import { plural } from '../../lib/plural.ts'

const DAY_MS = 86_400_000
const LEAST_VALID_DAYS = 14
const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 65_536

interface Response {
  readonly status: number
  readonly location: string
  readonly text: string
  /** When the certificate of the connection ends, in Unix milliseconds; null without encryption. */
  readonly validUntil: number | null
}

/** One request without redirects, on a connection of its own. */
async function get(
  url: string,
  {
    network,
    headers = {},
  }: Pick<Subject, 'network'> & { readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<Response> {
  const send = url.startsWith('https:') ? requestTls : requestPlain
  const ca = network?.authority === undefined ? {} : { ca: network.authority }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const asked = send(url, { agent: false, signal: timeout, headers, ...ca }, resolve)
    asked.on('error', reject).end()
  })
  const { socket } = response
  const validUntil = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY_BYTES) break
    parts.push(part)
  }
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location ?? '',
    text: Buffer.concat(parts).toString(),
    validUntil,
  }
}

const Seen = goodClientAddress.data

/** What the server behind the public URL says of a request; null if that is no Pennant server of this version. */
async function readSeen(
  { config, network }: Subject,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly seen: z.output<typeof Seen> | null }> {
  const { status, text } = await get(config.origin + readClientAddress.path, { network, headers }, signal)
  try {
    return { status, seen: Seen.parse((JSON.parse(text) as { readonly data: unknown }).data) }
  } catch {
    return { status, seen: null }
  }
}

async function checkUrl(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const { config, db } = subject
  const { origin, tokenKey } = config
  const remedy = 'Check `origin`, the DNS entry and the proxy in front of the server.'
  try {
    const { status, seen } = await readSeen(subject, {}, signal)
    if (!seen)
      return failure(`${origin} does not lead to this server: what is there responds ${status}.`, remedy)
    const [key, database] = (await deploymentOf(tokenKey, typeof db === 'string' ? null : db)).split('.')
    const [seenKey, seenDatabase] = seen.deployment.split('.')
    if (seenKey !== key)
      return failure(`${origin} leads to another Pennant server, or to one with another token key.`, remedy)
    if (database !== '' && seenDatabase !== database)
      return failure(
        `${origin} leads to a Pennant server with the same token key and another database, such as a copy of this one.`,
        'Check `database` here and there, and give each deployment a token key of its own.',
      )
    return origin.startsWith('https://')
      ? ok()
      : warning(
          `The public URL ${origin} is not encrypted.`,
          'Set `origin` to the https:// URL that players type.',
        )
  } catch (error) {
    return failure(`${origin} cannot be reached from here: ${reasonOf(error)}.`, remedy)
  }
}

async function checkCertificate(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const { origin } = subject.config
  if (!origin.startsWith('https://')) return unchecked('The public URL is not encrypted.')
  const { validUntil } = await get(origin + HEALTH_PATH, subject, signal).catch(() => ({ validUntil: null }))
  if (validUntil === null) return unchecked('There is no encrypted connection to the public URL.')
  const days = Math.floor((validUntil - subject.now()) / DAY_MS)
  return days >= LEAST_VALID_DAYS
    ? ok(`The certificate is valid for ${plural(days, 'day')}.`)
    : warning(
        `The certificate ends in ${plural(days, 'day')}.`,
        'Check that it is renewed automatically, and that it lasts until after the event.',
      )
}

async function checkRedirect(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const { protocol, hostname, port } = new URL(subject.config.origin)
  const plainPort = subject.network?.plainPort ?? 80
  if (protocol !== 'https:') return unchecked('The public URL is not encrypted.')
  if (port !== '' && subject.network?.plainPort === undefined)
    return unchecked('The public URL has a port of its own.')
  try {
    const { status, location } = await get(`http://${hostname}:${plainPort}/`, subject, signal)
    return status >= 300 && status < 400 && location.startsWith('https://')
      ? ok()
      : warning(
          `http://${hostname} responds ${status} instead of redirecting to https.`,
          'Redirect every request of port 80 to https in the proxy.',
        )
  } catch (error) {
    return unchecked(`Port ${plainPort} cannot be reached: ${reasonOf(error)}`)
  }
}

/** An address of documentation: no one can have it. */
const FORGED = '198.51.100.7'
/** What proxies and CDNs pass the address of a client in. */
const FORGED_HEADERS = {
  'x-forwarded-for': FORGED,
  'x-real-ip': FORGED,
  'x-client-ip': FORGED,
  'true-client-ip': FORGED,
  'cf-connecting-ip': FORGED,
  forwarded: `for=${FORGED}`,
}

/** Whether players could choose the address that limits, bans and the audit use, or all have the same. */
async function checkForwardedAddress(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const { seen } = await readSeen(subject, {}, signal).catch(() => ({ seen: null }))
  const { seen: forged } = await readSeen(subject, FORGED_HEADERS, signal).catch(() => ({ seen: null }))
  if (!seen || !forged) return unchecked('The public URL does not lead to this server.')
  const { address, forwarding } = seen
  if (forwarding === 'none' && isLoopback(address) && !hasProxy(subject.config))
    return unchecked('The public URL leads to this machine without a proxy.')
  // A request from this machine looks like one of a trusted proxy, so the forged address behind it is reached although the
  // proxy has added the right one.
  const isForged = isLoopback(address) ? forged.lastForwarded === FORGED : forged.address !== address
  if (isForged)
    return failure(
      `Clients can choose their address: a request from ${address} with forged headers counted as one from ${FORGED}.`,
      'Let the proxy overwrite X-Forwarded-For, and name only the proxy in `proxy.trust`.',
    )
  if (forwarding === 'ignored')
    return failure(
      `All clients share the address ${address}, because that proxy is not trusted.`,
      'Add its address to `proxy.trust`.',
    )
  if (forwarding === 'none' && hasProxy(subject.config))
    return failure(
      `All clients share the address ${address}: the proxy does not say for whom it sends a request.`,
      'Let the proxy set X-Forwarded-For to the address of the client (docs/operate/proxies.md).',
    )
  return ok(`This machine appears as ${address}.`)
}

function isLoopback(address: string): boolean {
  return /^(?:127\.|::1$|::ffff:127\.)/.test(address)
}

/** The server itself has no encryption, and on this machine only one port. */
function hasProxy({ origin, port }: Subject['config']): boolean {
  const url = new URL(origin)
  return url.protocol === 'https:' || (url.port || '80') !== String(port)
}

export const publicUrlChecks: readonly Check[] = [
  { name: 'public-url', run: checkUrl },
  { name: 'certificate', run: checkCertificate },
  { name: 'https-redirect', run: checkRedirect },
  { name: 'forwarded-address', run: checkForwardedAddress },
]
