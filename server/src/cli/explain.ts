import { UnavailableError } from '../lib/errors.ts'

/** One line for a failure that the operator can do something about; null for what must be a bug. */
export function explain(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof UnavailableError) return `${error.message} Start again when it is back.`
  const { code, address, hostname, port, path, syscall }: Failure = error
  const isListening = syscall === 'listen' || syscall === 'bind'
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program; set PORT to a free one.`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${address}; set HOST to one that it has, or to 0.0.0.0 for all.`
    case 'ENOTFOUND':
      return `The host ${hostname} is not known; set HOST to an address of this machine.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space is left${pathOf(path)}; make room, or set PENNANT_DATA_DIR to another disk.`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      if (isListening) return `Port ${port} needs more rights than this user has; set PORT to 1024 or above.`
      return `The user that runs Pennant may not write${pathOf(path)} (${code}); see PENNANT_DATA_DIR.`
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
