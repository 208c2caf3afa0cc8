import { SECOND_MS } from '@pennant/contract/durations.ts'

/** The address of one part of an instance. */
export interface Place {
  readonly kind: 'tcp' | 'udp' | 'tcp-ssl' | 'http' | 'https'
  readonly host: string
  /** 0 if it is not available here. */
  readonly port: number
  readonly title?: string | undefined
}

const USUAL = { http: 80, https: 443 } as const

/** The command for a terminal, or the address to open: docs/reference/site.md#instance-and-bot-panels */
export function commandOf({ kind, host, port }: Place): string {
  if (kind === 'tcp') return `nc ${host} ${port}`
  if (kind === 'udp') return `nc -u ${host} ${port}`
  if (kind === 'tcp-ssl') return `ncat --ssl ${host} ${port}`
  return port === USUAL[kind] ? `${kind}://${host}/` : `${kind}://${host}:${port}/`
}

type Form = 'openssl' | 'pwntools'

/** The same address in the syntax of other tools; links have none. */
export function otherForms({ kind, host, port }: Place): { readonly name: Form; readonly form: string }[] {
  if (port === 0 || kind === 'http' || kind === 'https') return []
  const isEncrypted = kind === 'tcp-ssl'
  // A string literal that is valid in Python and in JSON.
  const name = JSON.stringify(host)
  return [
    {
      name: 'pwntools',
      form: `remote(${name}, ${port}${isEncrypted ? ', ssl=True' : kind === 'udp' ? ', typ="udp"' : ''})`,
    },
    ...(isEncrypted
      ? [{ name: 'openssl' as const, form: `openssl s_client -quiet -connect ${host}:${port}` }]
      : []),
  ]
}

export function isLink({ kind, port }: Place): boolean {
  return port > 0 && (kind === 'http' || kind === 'https')
}

const SLOW_AFTER_MS = 30 * SECOND_MS
const URGENT_MS = 300 * SECOND_MS

export type Status = 'stopped' | 'running' | 'starting' | 'stopping' | 'errored'

/**
 * Polling interval in milliseconds; null: only when the tab becomes visible. `sinceMs` since the state was
 * first seen.
 */
export function pollEvery(
  status: Status | undefined,
  timeLeftMs: number | null,
  sinceMs: number,
): number | null {
  if (status === 'starting') return sinceMs < SLOW_AFTER_MS ? 2 * SECOND_MS : 5 * SECOND_MS
  if (status === 'stopping') return 2 * SECOND_MS
  if (status !== 'running') return null
  const left = timeLeftMs ?? Number.POSITIVE_INFINITY
  return Math.min(left < URGENT_MS ? 10 * SECOND_MS : 20 * SECOND_MS, Math.max(left, SECOND_MS))
}
