import { UnavailableError } from '../lib/errors.ts'

/** A one-line message for a failure that the operator can fix; null for a bug. */
export function explain(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof UnavailableError)
    return `Cannot start: ${error.message}. Try again when it is available.`
  const { code, address, hostname, port, path, syscall }: Failure = error
  const isListening = syscall === 'listen' || syscall === 'bind'
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program; set PORT to a free one.`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}; set HOST to one of its addresses, or to 0.0.0.0 for all.`
    case 'ENOTFOUND':
      return `The host name ${hostname} cannot be resolved; set HOST to an address of this machine.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space left on the device${pathOf(path)}; free some space, or set PENNANT_DATA_DIR to another disk.`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      if (isListening) return `Port ${port} requires root privileges; set PORT to 1024 or above.`
      return `The user that runs Pennant cannot write${pathOf(path)} (${code}); see PENNANT_DATA_DIR.`
    default:
      return null
  }
}

interface Failure extends Error {
  readonly code?: string
  readonly address?: string
  readonly hostname?: string
  readonly path?: string
  readonly port?: number
  readonly syscall?: string
}

function pathOf(path: string | undefined): string {
  return path === undefined ? '' : ` to ${path}`
}
