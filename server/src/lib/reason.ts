import { StartError } from './errors.ts'

/** What went wrong, by the code of the error, as the end of a sentence about a service or a file. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'the connection was closed without a response',
  EPIPE: 'the connection was closed without a response',
  UND_ERR_SOCKET: 'the connection was closed without a response',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'no name server responds',
  EDNS: 'its name cannot be resolved',
  ETIMEDOUT: 'there was no response in time',
  ABORT_ERR: 'there was no response in time',
  UND_ERR_CONNECT_TIMEOUT: 'there was no response in time',
  UND_ERR_HEADERS_TIMEOUT: 'there was no response in time',
  EHOSTUNREACH: 'this machine has no route to it',
  ENETUNREACH: 'this machine has no route to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'no authority that this machine trusts has signed its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'no authority that this machine trusts has signed its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without those of the authority between',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes without those of the authority between',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'no authority that this machine trusts has signed its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EAUTH: 'it does not accept the user name or the password',
  '28P01': 'it does not accept the password',
  '28000': 'it does not let this user sign in',
  '3D000': 'the database does not exist',
  '53300': 'it has no free connection',
  '57P03': 'it is starting or shutting down',
  ENOENT: 'the file or folder does not exist',
  ENOTDIR: 'a part of the path is a file instead of a folder',
  EISDIR: 'the path is a folder instead of a file',
  EEXIST: 'a part of the path is a file instead of a folder',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'this process has too many open files',
}

const NO_TLS = /wrong.version.number|packet length too long|http request/i
const TLS = /SSL routines|OpenSSL|^ERR_(?:SSL|TLS)_|EPROTO|handshake/
/** Errors that wrap others: causes, and those of several addresses. */
const MAX_DEPTH = 5

interface Coded {
  readonly code?: unknown
  readonly errors?: readonly unknown[]
  readonly cause?: unknown
  readonly address?: unknown
  readonly port?: unknown
}

/** Why something failed, in one line without a full stop, without codes of the system and stack traces. */
export function reasonOf(error: unknown): string {
  const all = chainOf(error)
  const texts = all.map((each) => (each instanceof Error ? each.message : String(each)))
  const codes = all.map((each) => String((each as Coded | null)?.code ?? ''))
  const text = [...texts, ...codes]
  if (text.some((each) => NO_TLS.test(each))) return 'it does not speak TLS on this port'
  // The innermost error knows best.
  const at = codes.findLastIndex((code) => Object.hasOwn(REASONS, code))
  if (at >= 0) return REASONS[codes[at] ?? ''] + placeOf(all[at] as Coded)
  if (all.some((each) => each instanceof Error && each.name === 'TimeoutError'))
    return REASONS['ETIMEDOUT'] ?? ''
  if (codes.some((code) => code.startsWith('HPE_'))) return 'it does not speak HTTP on this port'
  if (text.some((each) => TLS.test(each))) return 'the encryption could not be negotiated'
  const [line = ''] = (
    texts.find((each) => each !== '' && each !== 'fetch failed') ?? 'the reason is unknown'
  ).split('\n')
  return line.replace(/[\s.]+$/, '')
}

/** Ends a command whose file could not be created. */
export function refuseToCreate(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    const { code } = cause
    throw new StartError(
      code === 'EEXIST' ? `${path} already exists.` : `Could not create ${path}: ${reasonOf(cause)}.`,
      { cause },
    )
  }
}

/** The error, its causes, and the first of several. */
function chainOf(error: unknown): unknown[] {
  const all = [error]
  while (all.length < MAX_DEPTH) {
    const { cause, errors } = (all.at(-1) ?? {}) as Coded
    const next = cause ?? errors?.[0]
    if (next === undefined || next === null) break
    all.push(next)
  }
  return all
}

function placeOf({ address, port }: Coded): string {
  return typeof address === 'string' && typeof port === 'number' ? ` (${address}, port ${port})` : ''
}
